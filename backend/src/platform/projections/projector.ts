import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EventStore } from '../event-store/event-store.ts'
import type { Pool } from '../postgres/postgres.module.ts'
import { isUnreachable } from '../unreachable.ts'
import { EventReader } from './event-reader.ts'
import { lockCheckpoint, moveCheckpoint, type Projection } from './projection.ts'

const idleMs = 1000
/** An event that comes alone is taken in at once; of those that come one after the other, what has come by then. */
const paceMs = 25
const afterOutageMs = 2000
/** What cannot be read now can hardly be read a moment later. */
const afterFailureMs = 10_000

type Parts = { events: EventStore; pool: Pool; logger: Logger }

/**
 * Follows the events with one projection. Rows and checkpoint are written in one transaction, so that a crash at any
 * moment neither skips nor doubles an event. Any number of processes may run it: the checkpoint's lock lets one work.
 */
export class Projector {
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #reader: EventReader
  #failure: string | undefined

  constructor(
    readonly projection: Projection,
    private readonly parts: Parts,
  ) {
    this.#reader = new EventReader(parts.events)
  }

  /** What it cannot take in, where that has stopped it. An outage does not: that shows in how far it is behind. */
  get failure(): string | undefined {
    return this.#failure
  }

  start() {
    this.#running = this.#run()
  }

  async stop() {
    this.#stopping.abort()
    await this.#running
  }

  /** One batch. Answers whether there may be more, and `elsewhere` where another process is at work. */
  async projectBatch(): Promise<'behind' | 'caught up' | 'elsewhere'> {
    const { name } = this.projection
    const client = await this.parts.pool.connect()
    let broken: Error | undefined
    try {
      // What a crash of the server takes back it takes back whole, and it is made again: no reason to wait for the disk.
      await client.query('begin; set local synchronous_commit = off')
      const checkpoint = await lockCheckpoint(client, name)
      if (checkpoint === undefined) {
        await client.query('rollback')
        return 'elsewhere'
      }
      const batch = this.#reader.batchBehind(checkpoint)
      await this.projection.apply(client, batch.pages)
      if (batch.position > checkpoint) await moveCheckpoint(client, name, batch.position)
      await client.query('commit')
      return batch.mayHaveMore ? 'behind' : 'caught up'
    } catch (error) {
      // What is being read ahead may fail for the same reason.
      this.#reader = new EventReader(this.parts.events)
      await client.query('rollback').catch((reason: unknown) => {
        broken = reason instanceof Error ? reason : new Error(String(reason))
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isBehind = false
    let startedAt = -Infinity
    while (!signal.aborted) {
      if (!isBehind) await pause(startedAt + paceMs - performance.now(), signal)
      startedAt = performance.now()
      // Asked for before the batch is read: an event that comes in between is not waited for.
      const waiting = new AbortController()
      const woken = this.parts.events.waitForEvents(idleMs, AbortSignal.any([signal, waiting.signal]))
      woken.catch(() => undefined)
      try {
        const outcome = await this.projectBatch()
        isBehind = outcome === 'behind'
        if (outcome === 'elsewhere') await pause(idleMs, signal)
        else this.#failure = undefined
        if (outcome === 'caught up') await woken
      } catch (error) {
        await this.#tellFailure(error)
      } finally {
        waiting.abort()
      }
    }
  }

  async #tellFailure(error: unknown) {
    const { logger } = this.parts
    const told = { projection: this.projection.name, error: String(error) }
    if (isUnreachable(error)) {
      logger.error(told, 'the projection cannot follow the events; trying again')
      return pause(afterOutageMs, this.#stopping.signal)
    }
    this.#failure = error instanceof Error ? error.message : String(error)
    logger.error(told, 'the projection has stopped: it cannot take in what comes next')
    return pause(afterFailureMs, this.#stopping.signal)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
