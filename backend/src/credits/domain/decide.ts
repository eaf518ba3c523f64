import type { Account, RecordedOperation } from './account.ts'
import { microcredits, zero, type Microcredits } from './amounts.ts'
import type { CreditEvent, EventNote } from './events.ts'

type Command = { operationId: string; note: EventNote }

export type GrantCommand = Command & {
  type: 'grant'
  amountMicrocredits: Microcredits
  operationType: 'purchase' | 'grant'
}
export type DeductCommand = Command & {
  type: 'deduct'
  amountMicrocredits: Microcredits
  operationType: 'transcription' | 'summary'
}
/** Gives a part of a deduction back. */
export type RefundCommand = Command & {
  type: 'refund'
  deductionId: string
  amountMicrocredits: Microcredits
}
/** Gives back what is left of a deduction, or makes sure that it never happens. */
export type RefundRestCommand = Command & { type: 'refund_rest'; deductionId: string }
export type AdjustCommand = Command & { type: 'adjust'; signedAmountMicrocredits: Microcredits }

export type CreditCommand = GrantCommand | DeductCommand | RefundCommand | RefundRestCommand | AdjustCommand

export type Refusal =
  | { code: 'invalid_amount' }
  | { code: 'insufficient_credits'; requiredMicrocredits: Microcredits; availableMicrocredits: Microcredits }
  | { code: 'operation_conflict'; recorded: RecordedOperation }
  | { code: 'deduction_not_found' }
  | { code: 'deduction_voided' }
  | { code: 'already_refunded' }
  | { code: 'refund_exceeds_deduction'; remainingMicrocredits: Microcredits }
  | { code: 'balance_limit' }

/** What the operation did: the same each time its command comes. */
export type Receipt = {
  operationId: string
  amountMicrocredits: Microcredits
  balanceAfterMicrocredits: Microcredits
}

export type Decision =
  { accepted: true; receipt: Receipt; event: CreditEvent | undefined } | { accepted: false; refusal: Refusal }

/** The operation ids whose events `decide` must see in the account. */
export function operationsNamedBy(command: CreditCommand): string[] {
  return 'deductionId' in command ? [command.operationId, command.deductionId] : [command.operationId]
}

/** Decides on a command: the event that it becomes, its old answer if it came before, or why it is refused. */
export function decide(command: CreditCommand, account: Account): Decision {
  const recorded = account.operations.get(command.operationId)
  if (recorded) return repeated(command, recorded)

  switch (command.type) {
    case 'grant':
      return grant(command, account)
    case 'deduct':
      return deduct(command, account)
    case 'refund':
      return refund(command, account)
    case 'refund_rest':
      return refundRest(command, account)
    case 'adjust':
      return adjust(command, account)
  }
}

function grant(command: GrantCommand, account: Account): Decision {
  if (command.amountMicrocredits <= 0) return refused({ code: 'invalid_amount' })
  const balance = account.balanceMicrocredits + command.amountMicrocredits
  if (!Number.isSafeInteger(balance)) return refused({ code: 'balance_limit' })
  return accepted({
    type: 'CreditsGranted',
    operationId: command.operationId,
    operationType: command.operationType,
    amountMicrocredits: command.amountMicrocredits,
    balanceAfterMicrocredits: microcredits(balance),
    note: command.note,
  })
}

function deduct(command: DeductCommand, account: Account): Decision {
  if (command.amountMicrocredits <= 0) return refused({ code: 'invalid_amount' })
  if (account.voidedDeductions.has(command.operationId)) return refused({ code: 'deduction_voided' })
  if (command.amountMicrocredits > account.balanceMicrocredits) {
    return refused({
      code: 'insufficient_credits',
      requiredMicrocredits: command.amountMicrocredits,
      availableMicrocredits: account.balanceMicrocredits,
    })
  }
  return accepted({
    type: 'CreditsDeducted',
    operationId: command.operationId,
    operationType: command.operationType,
    amountMicrocredits: command.amountMicrocredits,
    balanceAfterMicrocredits: microcredits(account.balanceMicrocredits - command.amountMicrocredits),
    note: command.note,
  })
}

function refund(command: RefundCommand, account: Account): Decision {
  if (command.amountMicrocredits <= 0) return refused({ code: 'invalid_amount' })
  const deduction = account.deductions.get(command.deductionId)
  if (!deduction) return refused({ code: 'deduction_not_found' })
  const remaining = microcredits(deduction.amountMicrocredits - deduction.refundedMicrocredits)
  if (remaining === 0) return refused({ code: 'already_refunded' })
  if (command.amountMicrocredits > remaining) {
    return refused({ code: 'refund_exceeds_deduction', remainingMicrocredits: remaining })
  }
  const balance = account.balanceMicrocredits + command.amountMicrocredits
  if (!Number.isSafeInteger(balance)) return refused({ code: 'balance_limit' })
  return accepted({
    type: 'CreditsRefunded',
    operationId: command.operationId,
    operationType: deduction.operationType,
    deductionId: command.deductionId,
    amountMicrocredits: command.amountMicrocredits,
    balanceAfterMicrocredits: microcredits(balance),
    note: command.note,
  })
}

function refundRest(command: RefundRestCommand, account: Account): Decision {
  const deduction = account.deductions.get(command.deductionId)
  if (deduction) {
    const remaining = microcredits(deduction.amountMicrocredits - deduction.refundedMicrocredits)
    if (remaining === 0) return refused({ code: 'already_refunded' })
    return refund({ ...command, type: 'refund', amountMicrocredits: remaining }, account)
  }
  if (account.voidedDeductions.has(command.deductionId)) return refused({ code: 'already_refunded' })
  return accepted({
    type: 'DeductionVoided',
    operationId: command.operationId,
    deductionId: command.deductionId,
    balanceAfterMicrocredits: account.balanceMicrocredits,
    note: command.note,
  })
}

function adjust(command: AdjustCommand, account: Account): Decision {
  if (command.signedAmountMicrocredits === 0) return refused({ code: 'invalid_amount' })
  const balance = account.balanceMicrocredits + command.signedAmountMicrocredits
  if (!Number.isSafeInteger(balance)) return refused({ code: 'balance_limit' })
  if (balance < 0) {
    return refused({
      code: 'insufficient_credits',
      requiredMicrocredits: microcredits(0 - command.signedAmountMicrocredits),
      availableMicrocredits: account.balanceMicrocredits,
    })
  }
  return accepted({
    type: 'CreditsAdjusted',
    operationId: command.operationId,
    signedAmountMicrocredits: command.signedAmountMicrocredits,
    balanceAfterMicrocredits: microcredits(balance),
    note: command.note,
  })
}

function repeated(command: CreditCommand, recorded: RecordedOperation): Decision {
  if (!isSameOperation(command, recorded)) return refused({ code: 'operation_conflict', recorded })
  const { amountMicrocredits, balanceAfterMicrocredits } = recorded
  return {
    accepted: true,
    event: undefined,
    receipt: { operationId: command.operationId, amountMicrocredits, balanceAfterMicrocredits },
  }
}

function isSameOperation(command: CreditCommand, recorded: RecordedOperation): boolean {
  switch (command.type) {
    case 'grant':
    case 'deduct':
      return recorded.kind === command.type && recorded.amountMicrocredits === command.amountMicrocredits
    case 'adjust':
      return recorded.kind === 'adjust' && recorded.amountMicrocredits === command.signedAmountMicrocredits
    case 'refund':
      return (
        recorded.kind === 'refund' &&
        recorded.deductionId === command.deductionId &&
        recorded.amountMicrocredits === command.amountMicrocredits
      )
    case 'refund_rest':
      // How much the rest was is known only when it is given back.
      return (
        (recorded.kind === 'refund' || recorded.kind === 'void') &&
        recorded.deductionId === command.deductionId
      )
  }
}

function accepted(event: CreditEvent): Decision {
  const amount =
    event.type === 'DeductionVoided'
      ? zero
      : event.type === 'CreditsAdjusted'
        ? event.signedAmountMicrocredits
        : event.amountMicrocredits
  return {
    accepted: true,
    event,
    receipt: {
      operationId: event.operationId,
      amountMicrocredits: amount,
      balanceAfterMicrocredits: event.balanceAfterMicrocredits,
    },
  }
}

function refused(refusal: Refusal): Decision {
  return { accepted: false, refusal }
}
