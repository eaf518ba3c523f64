import { microcredits, zero, type Microcredits } from './amounts.ts'
import type { CreditEvent } from './events.ts'

/** What an operation did, as its repetition must answer it. */
export type RecordedOperation = {
  kind: 'grant' | 'deduct' | 'refund' | 'adjust' | 'void'
  /** Signed for `adjust` alone. */
  amountMicrocredits: Microcredits
  balanceAfterMicrocredits: Microcredits
  /** Of a refund or a void: the deduction that it is about. */
  deductionId?: string
}

export type Deduction = {
  amountMicrocredits: Microcredits
  refundedMicrocredits: Microcredits
  operationType: 'transcription' | 'summary'
}

/**
 * An account as far as its history was read: the balance, and the operations and deductions among the events that
 * were folded. A decision needs only those that its command names.
 */
export type Account = {
  balanceMicrocredits: Microcredits
  operations: ReadonlyMap<string, RecordedOperation>
  deductions: ReadonlyMap<string, Deduction>
  voidedDeductions: ReadonlySet<string>
}

export const emptyAccount: Account = {
  balanceMicrocredits: zero,
  operations: new Map(),
  deductions: new Map(),
  voidedDeductions: new Set(),
}

/** The account after `event`. Each event tells its balance, so a part of a history folds to the right one too. */
export function evolve(account: Account, event: CreditEvent): Account {
  const next = { ...account, balanceMicrocredits: event.balanceAfterMicrocredits }
  const recorded = { balanceAfterMicrocredits: event.balanceAfterMicrocredits }
  const withOperation = (operation: RecordedOperation) =>
    new Map(account.operations).set(event.operationId, operation)

  switch (event.type) {
    case 'CreditsGranted':
      return {
        ...next,
        operations: withOperation({
          ...recorded,
          kind: 'grant',
          amountMicrocredits: event.amountMicrocredits,
        }),
      }
    case 'CreditsDeducted':
      return {
        ...next,
        operations: withOperation({
          ...recorded,
          kind: 'deduct',
          amountMicrocredits: event.amountMicrocredits,
        }),
        deductions: new Map(account.deductions).set(event.operationId, {
          amountMicrocredits: event.amountMicrocredits,
          refundedMicrocredits: zero,
          operationType: event.operationType,
        }),
      }
    case 'CreditsRefunded': {
      const deduction = account.deductions.get(event.deductionId)
      return {
        ...next,
        operations: withOperation({
          ...recorded,
          kind: 'refund',
          amountMicrocredits: event.amountMicrocredits,
          deductionId: event.deductionId,
        }),
        deductions: deduction
          ? new Map(account.deductions).set(event.deductionId, {
              ...deduction,
              refundedMicrocredits: microcredits(deduction.refundedMicrocredits + event.amountMicrocredits),
            })
          : account.deductions,
      }
    }
    case 'CreditsAdjusted':
      return {
        ...next,
        operations: withOperation({
          ...recorded,
          kind: 'adjust',
          amountMicrocredits: event.signedAmountMicrocredits,
        }),
      }
    case 'DeductionVoided':
      return {
        ...next,
        operations: withOperation({
          ...recorded,
          kind: 'void',
          amountMicrocredits: zero,
          deductionId: event.deductionId,
        }),
        voidedDeductions: new Set(account.voidedDeductions).add(event.deductionId),
      }
    default:
      return unknownEvent(event)
  }
}

function unknownEvent(event: never): never {
  throw new Error(`Unknown credit event ${JSON.stringify(event)}`)
}
