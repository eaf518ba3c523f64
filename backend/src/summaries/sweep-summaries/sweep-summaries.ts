import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import type { Logger } from 'pino'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { TemporalConnection } from '../../platform/temporal/temporal-connection.ts'
import { type SweepPage, WorkflowSweep } from '../../platform/temporal/workflow-sweep.ts'
import { type StartableSummary, StartSummary } from '../create-summary/start-summary.ts'

/** Starts the workflow of each summary that has none. */
@Injectable()
export class SweepSummaries implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #sweep: WorkflowSweep<StartableSummary>

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
    temporal: TemporalConnection,
    summaries: StartSummary,
  ) {
    this.#sweep = new WorkflowSweep(temporal, logger, {
      name: 'summaries',
      unfinished: (page) => this.#unfinished(page),
      start: (row) => summaries.start(row),
    })
  }

  onApplicationBootstrap() {
    this.#sweep.begin()
  }

  async onApplicationShutdown() {
    await this.#sweep.end()
  }

  /** Looks at each unfinished summary from before `createdBefore`. */
  sweep(createdBefore: Date): Promise<void> {
    return this.#sweep.sweep(createdBefore)
  }

  #unfinished({ createdBefore, after, limit }: SweepPage): Promise<StartableSummary[]> {
    return this.database
      .selectFrom('summaries')
      .innerJoin('transcripts', 'transcripts.id', 'summaries.transcript_id')
      .selectAll('summaries')
      .select(['transcripts.episode_id', 'transcripts.episode_title'])
      .where('summaries.status', 'in', ['pending', 'processing'])
      .where('summaries.created_at', '<', createdBefore)
      .$if(after !== undefined, (query) => query.where('summaries.id', '>', after ?? ''))
      .orderBy('summaries.id')
      .limit(limit)
      .execute()
  }
}
