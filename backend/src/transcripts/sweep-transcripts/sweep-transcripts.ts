import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Logger } from 'pino'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { withRequestId } from '../../platform/logging/logger.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { TemporalConnection } from '../../platform/temporal/temporal-connection.ts'
import { StartTranscription } from '../create-transcript/start-transcription.ts'
import type { TranscriptRow } from '../transcript-view.ts'

const everyMs = 15_000
const pageSize = 200
const describeMs = 5000
/** Younger rows may still be in the hands of the request that made them. */
const leaveAloneMs = 30_000

/**
 * Starts the workflow of a transcript that has none: its request died between the row and the start, or somebody
 * ended the workflow from outside. Starting again is safe: each charge has its operation id.
 */
@Injectable()
export class SweepTranscripts implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined
  #sweep: Promise<void> = Promise.resolve()

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly temporal: TemporalConnection,
    private readonly transcription: StartTranscription,
  ) {}

  onApplicationBootstrap() {
    this.#timer = setInterval(() => {
      this.#sweep = this.#sweep.then(() =>
        this.sweep(new Date(Date.now() - leaveAloneMs)).catch((error: unknown) => {
          this.logger.warn({ error: String(error) }, 'sweep of transcripts failed')
        }),
      )
    }, everyMs)
  }

  async onApplicationShutdown() {
    clearInterval(this.#timer)
    await this.#sweep
  }

  /** Looks at each unfinished transcript from before `createdBefore`, a page at a time. */
  async sweep(createdBefore: Date): Promise<void> {
    let after = ''
    for (;;) {
      const rows = await this.database
        .selectFrom('transcripts')
        .selectAll()
        .where('status', 'in', ['pending', 'processing'])
        .where('created_at', '<', createdBefore)
        .$if(after !== '', (query) => query.where('id', '>', after))
        .orderBy('id')
        .limit(pageSize)
        .execute()
      for (const row of rows) {
        await this.#startIfAlone(row).catch((error: unknown) => {
          this.logger.warn(
            { transcriptId: row.id, error: String(error) },
            'transcript not swept; the next sweep tries again',
          )
        })
      }
      after = rows.at(-1)?.id ?? ''
      if (rows.length < pageSize) return
    }
  }

  async #startIfAlone(row: TranscriptRow): Promise<void> {
    if (await this.#isRunning(row)) return
    this.logger.warn({ transcriptId: row.id }, 'transcript without a workflow: starting it')
    await withRequestId(row.request_id, () => this.transcription.start(row))
  }

  async #isRunning(row: TranscriptRow): Promise<boolean> {
    try {
      const { status } = await this.temporal.withDeadline(describeMs, () =>
        this.temporal.client.workflow.getHandle(row.id).describe(),
      )
      return status.name === 'RUNNING'
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false
      throw error
    }
  }
}
