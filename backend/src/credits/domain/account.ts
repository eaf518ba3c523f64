import { microcredits, zero, type Microcredits } from './amounts.ts'
import type { CreditEvent } from './events.ts'

/** What an operation did, as its repetition must answer it. */
export type RecordedOperation = {
  kind: 'grant' | 'deduct' | 'refund' | 'adjust' | 'void' | 'reverse'
  /** Signed for `adjust` alone. */
  amountMicrocredits: Microcredits
  balanceAfterMicrocredits: Microcredits
  /** Of a refund or a void its deduction, of a reversal its grant. */
  refersTo?: string
}

export type Deduction = {
  amountMicrocredits: Microcredits
  refundedMicrocredits: Microcredits
  operationType: 'transcription' | 'summary'
}

export type Grant = { amountMicrocredits: Microcredits; reversedMicrocredits: Microcredits }

/**
 * An account as far as its history was read: the balance, and the operations, grants and deductions among the events
 * that were folded. A decision needs only those that its command names.
 */
export type Account = {
  balanceMicrocredits: Microcredits
  /** What a reversal could not take, for it was spent. Never above zero together with the balance. */
  owedMicrocredits: Microcredits
  operations: ReadonlyMap<string, RecordedOperation>
  grants: ReadonlyMap<string, Grant>
  deductions: ReadonlyMap<string, Deduction>
  voidedDeductions: ReadonlySet<string>
}

export const emptyAccount: Account = {
  balanceMicrocredits: zero,
  owedMicrocredits: zero,
  operations: new Map(),
  grants: new Map(),
  deductions: new Map(),
  voidedDeductions: new Set(),
}

/** The account after `event`. Each event tells its balance, so a part of a history folds to the right one too. */
export function evolve(account: Account, event: CreditEvent): Account {
  const next: Account = {
    ...account,
    balanceMicrocredits: event.balanceAfterMicrocredits,
    owedMicrocredits: event.owedAfterMicrocredits,
    operations: new Map(account.operations).set(event.operationId, operationOf(event)),
  }
  switch (event.type) {
    case 'CreditsGranted':
      return {
        ...next,
        grants: new Map(account.grants).set(event.operationId, {
          amountMicrocredits: event.amountMicrocredits,
          reversedMicrocredits: zero,
        }),
      }
    case 'CreditsDeducted':
      return {
        ...next,
        deductions: new Map(account.deductions).set(event.operationId, {
          amountMicrocredits: event.amountMicrocredits,
          refundedMicrocredits: zero,
          operationType: event.operationType,
        }),
      }
    case 'CreditsRefunded': {
      const deduction = account.deductions.get(event.deductionId)
      if (!deduction) return next
      const refunded = microcredits(deduction.refundedMicrocredits + event.amountMicrocredits)
      return {
        ...next,
        deductions: new Map(account.deductions).set(event.deductionId, {
          ...deduction,
          refundedMicrocredits: refunded,
        }),
      }
    }
    case 'CreditsReversed': {
      const grant = account.grants.get(event.grantId)
      if (!grant) return next
      const reversed = microcredits(grant.reversedMicrocredits + event.amountMicrocredits)
      return {
        ...next,
        grants: new Map(account.grants).set(event.grantId, { ...grant, reversedMicrocredits: reversed }),
      }
    }
    case 'CreditsAdjusted':
      return next
    case 'DeductionVoided':
      return { ...next, voidedDeductions: new Set(account.voidedDeductions).add(event.deductionId) }
    default:
      return unknownEvent(event)
  }
}

/** By how much an event moved the account's position, which is its balance less what it owes. */
export function signedAmount(event: CreditEvent): Microcredits {
  switch (event.type) {
    case 'CreditsGranted':
    case 'CreditsRefunded':
      return event.amountMicrocredits
    case 'CreditsDeducted':
    case 'CreditsReversed':
      return microcredits(0 - event.amountMicrocredits)
    case 'CreditsAdjusted':
      return event.signedAmountMicrocredits
    case 'DeductionVoided':
      return zero
    default:
      return unknownEvent(event)
  }
}

function operationOf(event: CreditEvent): RecordedOperation {
  const { balanceAfterMicrocredits } = event
  switch (event.type) {
    case 'CreditsGranted':
      return { kind: 'grant', amountMicrocredits: event.amountMicrocredits, balanceAfterMicrocredits }
    case 'CreditsDeducted':
      return { kind: 'deduct', amountMicrocredits: event.amountMicrocredits, balanceAfterMicrocredits }
    case 'CreditsAdjusted':
      return { kind: 'adjust', amountMicrocredits: event.signedAmountMicrocredits, balanceAfterMicrocredits }
    case 'CreditsRefunded': {
      const { amountMicrocredits, deductionId: refersTo } = event
      return { kind: 'refund', amountMicrocredits, balanceAfterMicrocredits, refersTo }
    }
    case 'CreditsReversed': {
      const { amountMicrocredits, grantId: refersTo } = event
      return { kind: 'reverse', amountMicrocredits, balanceAfterMicrocredits, refersTo }
    }
    case 'DeductionVoided':
      return { kind: 'void', amountMicrocredits: zero, balanceAfterMicrocredits, refersTo: event.deductionId }
    default:
      return unknownEvent(event)
  }
}

function unknownEvent(event: never): never {
  throw new Error(`Unknown credit event ${JSON.stringify(event)}`)
}
