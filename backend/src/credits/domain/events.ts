import type { SummaryType } from '@earmark/contracts/summary-content'
import type { Microcredits } from './amounts.ts'

/** What a line of the credit history tells beside the amount. Kept with the event, shown as it is. */
export type EventNote = {
  description: string
  episodeTitle?: string
  transcriptId?: string
  estimatedDurationSeconds?: number
  wordCount?: number
  summaryType?: SummaryType
}

type Operation = {
  /** Given by the caller, unique within the account for ever. */
  operationId: string
  /** Never below zero: what an account lacks is owed. */
  balanceAfterMicrocredits: Microcredits
  owedAfterMicrocredits: Microcredits
  note: EventNote
}

export type CreditsGranted = Operation & {
  type: 'CreditsGranted'
  amountMicrocredits: Microcredits
  /** Bought, or given by an operator. */
  operationType: 'purchase' | 'grant'
}

export type CreditsDeducted = Operation & {
  type: 'CreditsDeducted'
  amountMicrocredits: Microcredits
  operationType: 'transcription' | 'summary'
}

export type CreditsRefunded = Operation & {
  type: 'CreditsRefunded'
  amountMicrocredits: Microcredits
  deductionId: string
  operationType: 'transcription' | 'summary'
}

/** An operator's correction; its amount is signed. */
export type CreditsAdjusted = Operation & { type: 'CreditsAdjusted'; signedAmountMicrocredits: Microcredits }

/**
 * A grant was taken back, in part or whole: its payment was refunded or disputed. What of it is spent already is owed,
 * and whatever comes in settles that first.
 */
export type CreditsReversed = Operation & {
  type: 'CreditsReversed'
  amountMicrocredits: Microcredits
  grantId: string
}

/**
 * Everything of a deduction was asked back before the deduction arrived. It will be refused if it still comes:
 * a charge that was delayed on its way must not land after its job has ended.
 */
export type DeductionVoided = Operation & { type: 'DeductionVoided'; deductionId: string }

export type CreditEvent =
  CreditsGranted | CreditsDeducted | CreditsRefunded | CreditsAdjusted | CreditsReversed | DeductionVoided
