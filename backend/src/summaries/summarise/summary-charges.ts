import { Inject, Injectable } from '@nestjs/common'
import { CommandBus } from '@nestjs/cqrs'
import { summaryMicrocredits } from '@earmark/contracts/pricing'
import { summaryNames } from '@earmark/contracts/summary-names'
import type { ChargedAnswer } from '@earmark/contracts/workflows'
import type { SummaryActivities, SummaryJob } from '@earmark/workflows/activities'
import { microcredits } from '../../credits/domain/amounts.ts'
import type { EventNote } from '../../credits/domain/events.ts'
import { DeductCredits } from '../../credits/deduct-credits/deduct-credits.handler.ts'
import { Ledger } from '../../credits/ledger.ts'
import { giveBackRest, unexpectedRefusal } from '../../jobs/give-back.ts'
import { insufficientWords } from '../../jobs/insufficient-credits.ts'
import { JobRows } from '../../jobs/job-rows.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { explained } from '../../platform/temporal/activity.ts'

type FailInput = Parameters<SummaryActivities['failSummary']>[0]
type FailAnswer = Awaited<ReturnType<SummaryActivities['failSummary']>>

/**
 * The money of a summary. Operation ids come from the summary's id, so that each step counts once however often it runs:
 * `<id>` the charge, `<id>:give-back` what returns when the job fails.
 */
@Injectable()
export class SummaryCharges {
  readonly #jobs: JobRows

  constructor(
    private readonly commands: CommandBus,
    private readonly ledger: Ledger,
    @Inject(DATABASE) private readonly database: Database,
  ) {
    this.#jobs = new JobRows(database, 'summaries')
  }

  async charge(job: SummaryJob): Promise<ChargedAnswer> {
    const claim = await this.#jobs.claim(job.summaryId)
    if (claim === 'ended') return { outcome: 'withdrawn' }
    // Its credits have begun to go back in an earlier run, which ended before it had said so.
    if (claim === 'given_up') throw explained('This summary was given up.', { final: true })
    if (claim === 'refused') {
      const availableMicrocredits = await this.ledger.balance(job.userId)
      return {
        outcome: 'insufficient_credits',
        requiredMicrocredits: summaryMicrocredits,
        availableMicrocredits,
      }
    }

    const answer = await this.commands.execute(
      new DeductCredits(job.userId, {
        operationId: job.summaryId,
        operationType: 'summary',
        amountMicrocredits: microcredits(summaryMicrocredits),
        note: await this.#note(job),
      }),
    )
    if (answer.accepted) return { outcome: 'charged', amountMicrocredits: summaryMicrocredits }
    if (answer.refusal.code !== 'insufficient_credits') throw unexpectedRefusal(answer.refusal)
    const { requiredMicrocredits, availableMicrocredits } = answer.refusal
    await this.#jobs.refuse(job.summaryId, insufficientWords(answer.refusal))
    return { outcome: 'insufficient_credits', requiredMicrocredits, availableMicrocredits }
  }

  /** The job is given up first: from then on no save can complete it. It shows as failed once the credits are back. */
  async giveBackAndFail({ message: why, ...job }: FailInput): Promise<FailAnswer> {
    await this.#jobs.giveUp(job.summaryId)
    const row = await this.database
      .selectFrom('summaries')
      .select('status')
      .where('id', '=', job.summaryId)
      .executeTakeFirst()
    if (row?.status === 'completed') return { outcome: 'completed' }

    const note = { ...(await this.#note(job)), description: why }
    const returned = await giveBackRest(this.commands, job.userId, job.summaryId, note)
    const message = `${why} ${returned > 0 ? 'Your credits are back.' : 'Nothing was charged.'}`
    await this.database
      .updateTable('summaries')
      .set({ status: 'failed', message, progress_percent: null, content: null, finished_at: new Date() })
      .where('id', '=', job.summaryId)
      .where('status', 'in', ['pending', 'processing'])
      .execute()
    return { outcome: 'failed', message }
  }

  /** What the credit history says of it. A transcript that was deleted meanwhile leaves its id. */
  async #note({ summaryId, transcriptId }: SummaryJob): Promise<EventNote> {
    const row = await this.database
      .selectFrom('summaries')
      .innerJoin('transcripts', 'transcripts.id', 'summaries.transcript_id')
      .select(['summary_type', 'episode_title', 'word_count'])
      .where('summaries.id', '=', summaryId)
      .executeTakeFirst()
    return {
      description: row ? summaryNames[row.summary_type] : 'Summary',
      transcriptId,
      ...(row && { summaryType: row.summary_type }),
      ...(row?.episode_title != null && { episodeTitle: row.episode_title }),
      ...(row?.word_count != null && { wordCount: row.word_count }),
    }
  }
}
