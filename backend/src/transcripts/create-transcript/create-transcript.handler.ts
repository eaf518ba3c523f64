import { randomUUID } from 'node:crypto'
import { Inject } from '@nestjs/common'
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { Logger } from 'pino'
import { concurrentTranscriptionLimit, type Transcript } from '@earmark/contracts/transcripts'
import type { ChargedAnswer } from '@earmark/contracts/workflows'
import { insufficientDetails, insufficientWords } from '../../jobs/insufficient-credits.ts'
import { JobRows } from '../../jobs/job-rows.ts'
import { problem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { currentRequestId } from '../../platform/logging/logger.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { summaryCount, toTranscript, type TranscriptRow } from '../transcript-view.ts'
import { StartTranscription } from './start-transcription.ts'

export type EpisodeToTranscribe = {
  episodeId: string
  audioUrl: string
  episodeTitle: string | null
  podcastTitle: string | null
  claimedDurationSeconds: number | null
}

/** Transcribes an episode: answers the transcript that runs or is completed, or a new one whose charge is made. */
export class CreateTranscript extends Command<Transcript> {
  constructor(
    readonly userId: string,
    readonly episode: EpisodeToTranscribe,
  ) {
    super()
  }
}

const tooMany =
  `You have reached the maximum number of concurrent transcriptions (${concurrentTranscriptionLimit}). ` +
  'Please wait for existing transcriptions to complete before starting new ones.'

@CommandHandler(CreateTranscript)
export class CreateTranscriptHandler implements ICommandHandler<CreateTranscript> {
  readonly #jobs: JobRows

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly transcription: StartTranscription,
  ) {
    this.#jobs = new JobRows(database, 'transcripts')
  }

  async execute({ userId, episode }: CreateTranscript): Promise<Transcript> {
    const { row, isNew } = await this.#findOrInsert(userId, episode)
    if (isNew) await this.#startAndCharge(row)
    return toTranscript(await this.#read(row.id))
  }

  /** One decision at a time for each user: ten requests at once leave two running. */
  async #findOrInsert(
    userId: string,
    episode: EpisodeToTranscribe,
  ): Promise<{ row: TranscriptRow; isNew: boolean }> {
    return this.database.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom('users')
        .select('id')
        .where('id', '=', userId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      const current = await transaction
        .selectFrom('transcripts')
        .selectAll()
        .where('user_id', '=', userId)
        .where('episode_id', '=', episode.episodeId)
        .where('status', 'in', ['pending', 'processing', 'completed'])
        .executeTakeFirst()
      if (current) return { row: current, isNew: false }

      const { running } = await transaction
        .selectFrom('transcripts')
        .select((select) => select.fn.countAll<number>().as('running'))
        .where('user_id', '=', userId)
        .where('status', 'in', ['pending', 'processing'])
        .executeTakeFirstOrThrow()
      if (running >= concurrentTranscriptionLimit) throw problem('too_many_transcriptions', tooMany)

      const row = await transaction
        .insertInto('transcripts')
        .values({
          id: randomUUID(),
          user_id: userId,
          episode_id: episode.episodeId,
          episode_title: episode.episodeTitle,
          podcast_title: episode.podcastTitle,
          audio_url: episode.audioUrl,
          claimed_duration_seconds: episode.claimedDurationSeconds,
          status: 'pending',
          request_id: currentRequestId() ?? randomUUID(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return { row, isNew: true }
    })
  }

  async #startAndCharge(row: TranscriptRow): Promise<void> {
    let answer: ChargedAnswer
    try {
      answer = await this.transcription.start(row)
    } catch (error) {
      this.logger.error({ transcriptId: row.id, error: String(error) }, 'transcription not started')
      // It may have started all the same. Whoever sets its mark first wins: this request by withdrawing the row,
      // or the workflow by claiming it, and then the user sees a job that runs.
      if (await this.#jobs.withdraw(row.id)) {
        throw problem(
          'temporarily_unavailable',
          'Transcriptions cannot be started right now. Nothing was charged. Please try again shortly.',
        )
      }
      return
    }
    if (answer.outcome === 'insufficient_credits')
      throw problem('insufficient_credits', insufficientWords(answer), insufficientDetails(answer))
  }

  #read(id: string) {
    return this.database
      .selectFrom('transcripts')
      .selectAll()
      .select(summaryCount)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  }
}
