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

/** Takes a grant back, or a part of it, whatever the balance is: what is spent already is owed. */
export type ReverseCommand = Command & { type: 'reverse'; grantId: string; amountMicrocredits: Microcredits }

export type CreditCommand =
  GrantCommand | DeductCommand | RefundCommand | RefundRestCommand | AdjustCommand | ReverseCommand

export type Refusal =
  | { code: 'invalid_amount' }
  | { code: 'invalid_operation_id' }
  | { code: 'insufficient_credits'; requiredMicrocredits: Microcredits; availableMicrocredits: Microcredits }
  | { code: 'operation_conflict'; recorded: RecordedOperation }
  | { code: 'deduction_not_found' }
  | { code: 'deduction_voided' }
  | { code: 'already_refunded' }
  | { code: 'refund_exceeds_deduction'; remainingMicrocredits: Microcredits }
  | { code: 'grant_not_found' }
  | { code: 'already_reversed' }
  | { code: 'reversal_exceeds_grant'; remainingMicrocredits: Microcredits }
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
  switch (command.type) {
    case 'refund':
    case 'refund_rest':
      return [command.operationId, command.deductionId]
    case 'reverse':
      return [command.operationId, command.grantId]
    case 'grant':
    case 'deduct':
    case 'adjust':
      return [command.operationId]
    default:
      return unknownCommand(command)
  }
}

/** Decides on a command: the event that it becomes, its old answer if it came before, or why it is refused. */
export function decide(command: CreditCommand, account: Account): Decision {
  if (!operationsNamedBy(command).every(isOperationId)) return refused({ code: 'invalid_operation_id' })
  const recorded = account.operations.get(command.operationId)
  if (recorded) return repeated(command, recorded)
  // Whatever comes under the id of a deduction that was voided: the stores take no second event about an operation.
  if (account.voidedDeductions.has(command.operationId)) return refused({ code: 'deduction_voided' })

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
    case 'reverse':
      return reverse(command, account)
    default:
      return unknownCommand(command)
  }
}

/** 1 to 200 printable characters: what every store and index can hold. */
export function isOperationId(id: string): boolean {
  return typeof id === 'string' && /^[^\p{C}]{1,200}$/u.test(id)
}

/** Above zero, whole and below 2^53: types do not hold for what came from outside. */
function isAmount(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount > 0
}

/** The position after a signed amount: what comes in settles first what is owed; what is lacking is owed. */
function after(account: Account, signedAmount: number) {
  const position = account.balanceMicrocredits - account.owedMicrocredits + signedAmount
  return Number.isSafeInteger(position)
    ? {
        balanceAfterMicrocredits: microcredits(Math.max(0, position)),
        owedAfterMicrocredits: microcredits(Math.max(0, 0 - position)),
      }
    : undefined
}

function grant({ type: _, ...command }: GrantCommand, account: Account): Decision {
  if (!isAmount(command.amountMicrocredits)) return refused({ code: 'invalid_amount' })
  const position = after(account, command.amountMicrocredits)
  if (!position) return refused({ code: 'balance_limit' })
  return accepted({ type: 'CreditsGranted', ...command, ...position })
}

function deduct({ type: _, ...command }: DeductCommand, account: Account): Decision {
  if (!isAmount(command.amountMicrocredits)) return refused({ code: 'invalid_amount' })
  const position = after(account, 0 - command.amountMicrocredits)
  if (!position || command.amountMicrocredits > account.balanceMicrocredits) {
    return refused({
      code: 'insufficient_credits',
      requiredMicrocredits: command.amountMicrocredits,
      availableMicrocredits: account.balanceMicrocredits,
    })
  }
  return accepted({ type: 'CreditsDeducted', ...command, ...position })
}

function refund({ type: _, ...command }: RefundCommand, account: Account): Decision {
  if (!isAmount(command.amountMicrocredits)) return refused({ code: 'invalid_amount' })
  const deduction = account.deductions.get(command.deductionId)
  if (!deduction) return refused({ code: 'deduction_not_found' })
  const remaining = microcredits(deduction.amountMicrocredits - deduction.refundedMicrocredits)
  if (remaining === 0) return refused({ code: 'already_refunded' })
  if (command.amountMicrocredits > remaining) {
    return refused({ code: 'refund_exceeds_deduction', remainingMicrocredits: remaining })
  }
  const position = after(account, command.amountMicrocredits)
  if (!position) return refused({ code: 'balance_limit' })
  const { operationType } = deduction
  return accepted({ type: 'CreditsRefunded', operationType, ...command, ...position })
}

function refundRest(command: RefundRestCommand, account: Account): Decision {
  const deduction = account.deductions.get(command.deductionId)
  if (deduction) {
    const remaining = microcredits(deduction.amountMicrocredits - deduction.refundedMicrocredits)
    if (remaining === 0) return refused({ code: 'already_refunded' })
    return refund({ ...command, type: 'refund', amountMicrocredits: remaining }, account)
  }
  if (account.voidedDeductions.has(command.deductionId)) return refused({ code: 'already_refunded' })
  const { operationId, deductionId, note } = command
  const { balanceMicrocredits, owedMicrocredits } = account
  return accepted({
    type: 'DeductionVoided',
    operationId,
    deductionId,
    note,
    balanceAfterMicrocredits: balanceMicrocredits,
    owedAfterMicrocredits: owedMicrocredits,
  })
}

function adjust({ type: _, ...command }: AdjustCommand, account: Account): Decision {
  const { signedAmountMicrocredits: amount } = command
  if (!isAmount(Math.abs(amount))) return refused({ code: 'invalid_amount' })
  if (amount < 0 && account.balanceMicrocredits + amount < 0) {
    return refused({
      code: 'insufficient_credits',
      requiredMicrocredits: microcredits(0 - amount),
      availableMicrocredits: account.balanceMicrocredits,
    })
  }
  const position = after(account, amount)
  if (!position) return refused({ code: 'balance_limit' })
  return accepted({ type: 'CreditsAdjusted', ...command, ...position })
}

function reverse({ type: _, ...command }: ReverseCommand, account: Account): Decision {
  if (!isAmount(command.amountMicrocredits)) return refused({ code: 'invalid_amount' })
  const grant = account.grants.get(command.grantId)
  if (!grant) return refused({ code: 'grant_not_found' })
  const remaining = microcredits(grant.amountMicrocredits - grant.reversedMicrocredits)
  if (remaining === 0) return refused({ code: 'already_reversed' })
  if (command.amountMicrocredits > remaining) {
    return refused({ code: 'reversal_exceeds_grant', remainingMicrocredits: remaining })
  }
  const position = after(account, 0 - command.amountMicrocredits)
  if (!position) return refused({ code: 'balance_limit' })
  return accepted({ type: 'CreditsReversed', ...command, ...position })
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
        recorded.refersTo === command.deductionId &&
        recorded.amountMicrocredits === command.amountMicrocredits
      )
    case 'reverse':
      return (
        recorded.kind === 'reverse' &&
        recorded.refersTo === command.grantId &&
        recorded.amountMicrocredits === command.amountMicrocredits
      )
    case 'refund_rest':
      // How much the rest was is known only when it is given back.
      return (
        (recorded.kind === 'refund' || recorded.kind === 'void') && recorded.refersTo === command.deductionId
      )
  }
}

function unknownCommand(command: never): never {
  throw new Error(`Unknown credit command ${JSON.stringify(command)}`)
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
