import { randomUUID } from 'node:crypto'
import { Inject } from '@nestjs/common'
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Summary } from '@earmark/contracts/summaries'
import type { SummaryType } from '@earmark/contracts/summary-content'
import type { ChargedAnswer } from '@earmark/contracts/workflows'
import { insufficientDetails, insufficientWords } from '../../jobs/insufficient-credits.ts'
import { JobRows } from '../../jobs/job-rows.ts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { problem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { currentRequestId } from '../../platform/logging/logger.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import type { Schema } from '../../platform/postgres/schema.ts'
import { type SummaryRow, toSummary } from '../summary-view.ts'
import { hasWords } from '../transcript-words.ts'
import { StartSummary } from './start-summary.ts'

export type SummaryWithMessage = Summary & { message?: string }

/** Summarises a transcript: answers the summary of this type that runs or is completed, or a new one whose charge is made. */
export class CreateSummary extends Command<SummaryWithMessage> {
  constructor(
    readonly userId: string,
    readonly transcriptId: string,
    readonly type: SummaryType,
  ) {
    super()
  }
}

type Found = {
  row: SummaryRow
  episode: { episode_id: string; episode_title: string | null }
  isNew: boolean
}

@CommandHandler(CreateSummary)
export class CreateSummaryHandler implements ICommandHandler<CreateSummary> {
  readonly #jobs: JobRows

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly summaries: StartSummary,
  ) {
    this.#jobs = new JobRows(database, 'summaries')
  }

  async execute(command: CreateSummary): Promise<SummaryWithMessage> {
    const { row, episode, isNew } = await this.database
      .transaction()
      .execute((transaction) => this.#findOrInsert(transaction, command))
    if (!isNew) {
      const message =
        row.status === 'completed'
          ? 'This summary exists already. Nothing was charged.'
          : 'This summary is being generated already. Nothing was charged again.'
      return { ...toSummary(row), message }
    }
    await this.#startAndCharge(row, episode)
    return toSummary(await this.#read(row.id))
  }

  /** One decision at a time for each transcript: ten requests at once make one summary. */
  async #findOrInsert(
    transaction: Transaction<Schema>,
    { userId, transcriptId, type }: CreateSummary,
  ): Promise<Found> {
    const transcript = await transaction
      .selectFrom('transcripts')
      .select(['status', 'text', 'episode_id', 'episode_title'])
      .where('id', '=', transcriptId)
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!transcript) throw problem('not_found', 'There is no such transcript.')
    const { text, ...episode } = transcript
    if (transcript.status !== 'completed' || text === null) {
      throw problem(
        'transcript_not_completed',
        'This transcript is not completed, so it cannot be summarised. Nothing was charged.',
      )
    }
    const current = await transaction
      .selectFrom('summaries')
      .selectAll()
      .where('transcript_id', '=', transcriptId)
      .where('summary_type', '=', type)
      .where('status', 'in', ['pending', 'processing', 'completed'])
      .executeTakeFirst()
    if (current) return { row: current, episode, isNew: false }

    if (!hasWords(text)) {
      throw problem(
        'nothing_to_summarise',
        'Nobody says anything in this transcript, so there is nothing to summarise. Nothing was charged.',
      )
    }
    if (this.config.summaries === undefined)
      throw problem('temporarily_unavailable', 'Summaries are not offered here: no language model is set up.')

    const row = await transaction
      .insertInto('summaries')
      .values({
        id: randomUUID(),
        transcript_id: transcriptId,
        user_id: userId,
        summary_type: type,
        status: 'pending',
        request_id: currentRequestId() ?? randomUUID(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, episode, isNew: true }
  }

  async #startAndCharge(row: SummaryRow, episode: Found['episode']): Promise<void> {
    let answer: ChargedAnswer
    try {
      answer = await this.summaries.start({ ...row, ...episode })
    } catch (error) {
      this.logger.error({ summaryId: row.id, error: String(error) }, 'summary not started')
      // It may have started all the same. Whoever sets its mark first wins: this request by withdrawing the row,
      // or the workflow by claiming it, and then the user sees a job that runs.
      if (await this.#jobs.withdraw(row.id)) {
        throw problem(
          'temporarily_unavailable',
          'Summaries cannot be started right now. Nothing was charged. Please try again shortly.',
        )
      }
      return
    }
    if (answer.outcome === 'insufficient_credits')
      throw problem('insufficient_credits', insufficientWords(answer), insufficientDetails(answer))
  }

  async #read(id: string): Promise<SummaryRow> {
    const row = await this.database
      .selectFrom('summaries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    // It goes with its transcript. Its workflow finds nothing to work on, and gives back what it has taken.
    if (!row) {
      throw problem(
        'not_found',
        'This transcript was deleted meanwhile, so it cannot be summarised. Nothing stays charged.',
      )
    }
    return row
  }
}
