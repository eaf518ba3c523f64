import type { Selectable } from 'kysely'
import type { Summary } from '@earmark/contracts/summaries'
import type { Schema } from '../platform/postgres/schema.ts'

export type SummaryRow = Selectable<Schema['summaries']>

export function toSummary(row: SummaryRow): Summary {
  return {
    id: row.id,
    transcript_id: row.transcript_id,
    summary_type: row.summary_type,
    // A refused one was never charged; whoever still has its id sees one that failed, and why.
    status: row.status === 'refused' ? 'failed' : row.status,
    progress_percent: row.progress_percent,
    error_message: row.message,
    // Until it is completed this is a draft.
    content: row.status === 'completed' ? JSON.stringify(row.content) : null,
    created_at: row.created_at.toISOString(),
  }
}
