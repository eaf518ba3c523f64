import { Inject, Injectable } from '@nestjs/common'
import type { SummaryType } from '@earmark/contracts/summary-content'
import type { SummariseProgress, SummaryJob } from '@earmark/workflows/activities'
import { JobRows } from '../../jobs/job-rows.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { explained } from '../../platform/temporal/activity.ts'
import { type Notes, notesSchema } from './questions.ts'

/** What a summary is made of, and what the user sees of it meanwhile: its row, the transcript's and the notes. */
@Injectable()
export class SummaryRecords {
  readonly #jobs: JobRows

  constructor(@Inject(DATABASE) private readonly database: Database) {
    this.#jobs = new JobRows(database, 'summaries')
  }

  show(summaryId: string, progress: SummariseProgress): Promise<void> {
    return this.#jobs.show(summaryId, inWords(progress))
  }

  async transcript(transcriptId: string): Promise<{ text: string; segments: { text: string }[] | null }> {
    const row = await this.database
      .selectFrom('transcripts')
      .select(['text', 'segments'])
      .where('id', '=', transcriptId)
      .executeTakeFirst()
    if (row?.text == null) throw explained('The transcript is no longer there.', { final: true })
    return { text: row.text, segments: row.segments }
  }

  /** `draft` is what the model has written, as long as the summary is not completed. */
  async summary(summaryId: string): Promise<{ type: SummaryType; draft: Record<string, unknown> | null }> {
    const row = await this.database
      .selectFrom('summaries')
      .select(['summary_type', 'content'])
      .where('id', '=', summaryId)
      .executeTakeFirst()
    if (!row) throw explained('The transcript is no longer there.', { final: true })
    return { type: row.summary_type, draft: row.content }
  }

  async keepDraft(summaryId: string, content: unknown): Promise<void> {
    await this.database
      .updateTable('summaries')
      .set({ content: JSON.stringify(content) })
      .where('id', '=', summaryId)
      .where('status', 'in', ['pending', 'processing'])
      .where('given_up_at', 'is', null)
      .execute()
  }

  async keepNotes({ summaryId }: SummaryJob, part: number, notes: Notes): Promise<void> {
    await this.database
      .insertInto('summary_notes')
      .values({ summary_id: summaryId, part, notes: JSON.stringify(notes) })
      .onConflict((conflict) => conflict.columns(['summary_id', 'part']).doNothing())
      .execute()
  }

  async hasNotes({ summaryId }: SummaryJob, part: number): Promise<boolean> {
    const row = await this.database
      .selectFrom('summary_notes')
      .select('part')
      .where('summary_id', '=', summaryId)
      .where('part', '=', part)
      .executeTakeFirst()
    return row !== undefined
  }

  /** What was noted, in the order of the parts. */
  async notes(summaryId: string): Promise<Notes[]> {
    const rows = await this.database
      .selectFrom('summary_notes')
      .select('notes')
      .where('summary_id', '=', summaryId)
      .orderBy('part')
      .execute()
    return rows.map(({ notes }) => notesSchema.parse(notes))
  }

  /** Doing it again is no harm; a job that failed meanwhile stays failed. */
  async complete(summaryId: string, content: unknown): Promise<void> {
    const { numUpdatedRows } = await this.database
      .updateTable('summaries')
      .set({
        status: 'completed',
        message: null,
        progress_percent: 100,
        content: JSON.stringify(content),
        finished_at: new Date(),
      })
      .where('id', '=', summaryId)
      .where('status', 'in', ['pending', 'processing', 'completed'])
      .where('given_up_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw explained('This summary had ended already.', { final: true })
  }
}

function inWords({ stage, parts, partsDone }: SummariseProgress): { message: string; percent: number } {
  switch (stage) {
    case 'charging':
      return { message: 'Starting...', percent: 1 }
    case 'reading':
      return { message: 'Reading the transcript...', percent: 5 }
    case 'noting':
      return {
        message: `Reading part ${Math.min(partsDone + 1, parts)} of ${parts}...`,
        percent: 10 + Math.floor((60 * partsDone) / Math.max(1, parts)),
      }
    case 'writing':
      return { message: 'Writing the summary...', percent: parts > 1 ? 75 : 30 }
    case 'checking':
    case 'ended':
      return { message: 'Checking the quotes...', percent: 95 }
  }
}
