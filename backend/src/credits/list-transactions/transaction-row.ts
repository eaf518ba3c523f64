import type { Selectable } from 'kysely'
import type { RecordedEvent } from '../../platform/event-store/event-store.ts'
import type { Schema } from '../../platform/postgres/schema.ts'
import { refersToOf } from '../credit-event.schema.ts'
import type { CreditEvent } from '../domain/events.ts'

/** A line of the credit history as it is written: its time is JSON's. */
export type TransactionRow = Omit<Selectable<Schema['credit_transactions']>, 'created_at'> & {
  created_at: string
}

/** The line that an event shows as; a voided deduction moved nothing and shows as none. */
export function toTransaction(
  recorded: RecordedEvent,
  accountId: string,
  event: CreditEvent,
): TransactionRow | undefined {
  const shown = lineOf(event)
  if (!shown) return undefined
  const { note } = event
  return {
    account_id: accountId,
    revision: recorded.revision,
    event_id: recorded.eventId,
    operation_id: event.operationId,
    ...shown,
    balance_after_microcredits: event.balanceAfterMicrocredits,
    description: note.description,
    metadata: {
      ...(note.episodeTitle !== undefined && { episode_title: note.episodeTitle }),
      ...(note.wordCount !== undefined && { word_count: note.wordCount }),
      ...(note.estimatedDurationSeconds !== undefined && {
        estimated_duration: note.estimatedDurationSeconds,
      }),
      ...(note.transcriptId !== undefined && { transcript_id: note.transcriptId }),
      ...(note.summaryType !== undefined && { summary_type: note.summaryType }),
    },
    created_at: recorded.recordedAt.toISOString(),
    refers_to: refersToOf(event).refersTo ?? null,
  }
}

/** How an event shows; one that moved nothing does not. */
export function lineOf(
  event: CreditEvent,
): Pick<TransactionRow, 'transaction_type' | 'operation_type' | 'amount_microcredits'> | undefined {
  switch (event.type) {
    case 'CreditsGranted':
      return {
        transaction_type: 'add',
        operation_type: event.operationType,
        amount_microcredits: event.amountMicrocredits,
      }
    case 'CreditsDeducted':
      return {
        transaction_type: 'deduct',
        operation_type: event.operationType,
        amount_microcredits: event.amountMicrocredits,
      }
    case 'CreditsRefunded':
      return {
        transaction_type: 'refund',
        operation_type: event.operationType,
        amount_microcredits: event.amountMicrocredits,
      }
    case 'CreditsAdjusted':
      return {
        transaction_type: event.signedAmountMicrocredits < 0 ? 'deduct' : 'add',
        operation_type: 'adjustment',
        amount_microcredits: Math.abs(event.signedAmountMicrocredits),
      }
    case 'CreditsReversed':
      return {
        transaction_type: 'deduct',
        operation_type: 'reversal',
        amount_microcredits: event.amountMicrocredits,
      }
    case 'DeductionVoided':
      return undefined
  }
}
