import { WorkflowNotFoundError } from '@temporalio/client'
import type { Logger } from 'pino'
import { withRequestId } from '../logging/logger.ts'
import { type Repetition, repeatedly } from '../repeatedly.ts'
import type { TemporalConnection } from './temporal-connection.ts'

const everyMs = 15_000
const pageSize = 200
const describeMs = 5000
/** Younger rows may still be in the hands of the request that made them. */
const leaveAloneMs = 30_000

type Sweepable = { id: string; request_id: string }

/** Of what has not ended and is older than `createdBefore`: `limit` rows in the order of their ids, behind `after`. */
export type SweepPage = { createdBefore: Date; after: string | undefined; limit: number }

/**
 * Starts the workflow of a job that has none: its request died between the row and the start, or somebody
 * ended the workflow from outside. Starting again is safe: each charge has its operation id.
 */
export class WorkflowSweep<Row extends Sweepable> {
  #repetition: Repetition | undefined

  constructor(
    private readonly temporal: TemporalConnection,
    private readonly logger: Logger,
    private readonly jobs: {
      name: string
      unfinished: (page: SweepPage) => Promise<Row[]>
      start: (row: Row) => Promise<unknown>
    },
  ) {}

  begin(): void {
    this.#repetition = repeatedly(
      everyMs,
      (stopping) => this.sweep(new Date(Date.now() - leaveAloneMs), stopping),
      (error) => this.logger.warn({ error: String(error) }, `sweep of ${this.jobs.name} failed`),
    )
  }

  async end(): Promise<void> {
    await this.#repetition?.stop()
  }

  /** Looks at each unfinished job from before `createdBefore`, a page at a time. */
  async sweep(createdBefore: Date, stopping?: AbortSignal): Promise<void> {
    let after: string | undefined
    for (;;) {
      const rows = await this.jobs.unfinished({ createdBefore, after, limit: pageSize })
      for (const row of rows) {
        if (stopping?.aborted) return
        await this.#startIfAlone(row).catch((error: unknown) => {
          this.logger.warn(
            { jobId: row.id, error: String(error) },
            `one of ${this.jobs.name} not swept; the next sweep tries again`,
          )
        })
      }
      after = rows.at(-1)?.id
      if (rows.length < pageSize) return
    }
  }

  async #startIfAlone(row: Row): Promise<void> {
    if (await this.#isRunning(row.id)) return
    this.logger.warn({ jobId: row.id }, `one of ${this.jobs.name} without a workflow: starting it`)
    await withRequestId(row.request_id, () => this.jobs.start(row))
  }

  async #isRunning(id: string): Promise<boolean> {
    try {
      const { status } = await this.temporal.withDeadline(describeMs, () =>
        this.temporal.client.workflow.getHandle(id).describe(),
      )
      return status.name === 'RUNNING'
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false
      throw error
    }
  }
}
