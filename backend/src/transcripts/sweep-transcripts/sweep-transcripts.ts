import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import type { Logger } from 'pino'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { TemporalConnection } from '../../platform/temporal/temporal-connection.ts'
import { type SweepPage, WorkflowSweep } from '../../platform/temporal/workflow-sweep.ts'
import { StartTranscription } from '../create-transcript/start-transcription.ts'
import type { TranscriptRow } from '../transcript-view.ts'

/** Starts the workflow of each transcript that has none. */
@Injectable()
export class SweepTranscripts implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #sweep: WorkflowSweep<TranscriptRow>

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
    temporal: TemporalConnection,
    transcription: StartTranscription,
  ) {
    this.#sweep = new WorkflowSweep(temporal, logger, {
      name: 'transcripts',
      unfinished: (page) => this.#unfinished(page),
      start: (row) => transcription.start(row),
    })
  }

  onApplicationBootstrap() {
    this.#sweep.begin()
  }

  async onApplicationShutdown() {
    await this.#sweep.end()
  }

  /** Looks at each unfinished transcript from before `createdBefore`. */
  sweep(createdBefore: Date): Promise<void> {
    return this.#sweep.sweep(createdBefore)
  }

  #unfinished({ createdBefore, after, limit }: SweepPage): Promise<TranscriptRow[]> {
    return this.database
      .selectFrom('transcripts')
      .selectAll()
      .where('status', 'in', ['pending', 'processing'])
      .where('created_at', '<', createdBefore)
      .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(limit)
      .execute()
  }
}
