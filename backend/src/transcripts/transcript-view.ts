import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Transcript, TranscriptSummary } from '@earmark/contracts/transcripts'
import { microcredits, toCredits } from '../credits/domain/amounts.ts'
import type { Schema } from '../platform/postgres/schema.ts'

export type TranscriptRow = Selectable<Schema['transcripts']>

/** A row with how many summaries of it are completed. */
type Counted<Row> = Row & { summary_count: number }

/** To be selected beside the columns. */
export function summaryCount(transcript: ExpressionBuilder<Schema, 'transcripts'>) {
  return transcript
    .selectFrom('summaries')
    .select((summary) => summary.fn.countAll<number>().as('count'))
    .whereRef('summaries.transcript_id', '=', 'transcripts.id')
    .where('summaries.status', '=', 'completed')
    .$asScalar()
    .$notNull()
    .as('summary_count')
}

/** The columns of a list: everything but the text. */
export const summaryColumns = [
  'id',
  'episode_id',
  'episode_title',
  'podcast_title',
  'audio_url',
  'claimed_duration_seconds',
  'duration_seconds',
  'status',
  'message',
  'word_count',
  'tags',
  'is_archived',
  'created_at',
] as const satisfies (keyof TranscriptRow)[]

export function toSummary(
  row: Counted<Pick<TranscriptRow, (typeof summaryColumns)[number]>>,
): TranscriptSummary {
  return {
    id: row.id,
    episode_id: row.episode_id,
    episode_title: row.episode_title,
    podcast_title: row.podcast_title,
    audio_url: row.audio_url,
    duration_seconds: row.duration_seconds ?? row.claimed_duration_seconds,
    // A refused one was never charged; whoever still has its id sees one that failed, and why.
    status: row.status === 'refused' ? 'failed' : row.status,
    error_message: row.message,
    word_count: row.word_count,
    tags: row.tags,
    is_archived: row.is_archived,
    created_at: row.created_at.toISOString(),
    summary_count: row.summary_count,
  }
}

export function toTranscript(row: Counted<TranscriptRow>): Transcript {
  return {
    ...toSummary(row),
    text: row.text,
    segments: row.segments ?? [],
    progress_percent: row.progress_percent,
    charged_credits:
      row.charged_microcredits === null ? null : toCredits(microcredits(row.charged_microcredits)),
  }
}
