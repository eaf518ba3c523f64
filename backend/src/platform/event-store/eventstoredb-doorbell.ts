import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AllStreamSubscription,
  END,
  type EventStoreDBClient,
  streamNameFilter,
} from '@eventstore/db-client'
import type { Logger } from 'pino'
import { Doorbell } from './doorbell.ts'

const reopenMs = 25

/** Says that there are new events, not which: whoever waits reads from where it is. One subscription for all of them. */
export class EventStoreDbDoorbell {
  readonly #doorbell = new Doorbell()
  readonly #closing = new AbortController()
  #isLost = false
  #listening: Promise<void> | undefined
  #subscription: AllStreamSubscription | undefined

  constructor(
    private readonly client: EventStoreDBClient,
    private readonly streamPrefix: string,
    private readonly logger: Logger,
  ) {}

  /** Resolves when there may be new events, or after `timeoutMs`: a ring may be missed while the server is away. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    this.#listening ??= this.#listen()
    await this.#doorbell.wait(timeoutMs, signal)
  }

  async close() {
    this.#closing.abort()
    this.#subscription?.destroy()
    await this.#listening
  }

  /** A subscription never goes on by itself: one that fails or ends is opened again. */
  async #listen() {
    while (!this.#closing.signal.aborted) {
      await this.#listenOnce()
      await sleep(reopenMs, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
  }

  async #listenOnce() {
    const subscription = this.client.subscribeToAll({
      fromPosition: END,
      filter: streamNameFilter({ prefixes: [this.streamPrefix] }),
    })
    this.#subscription = subscription
    // The client may report a failure once more when nobody reads any longer.
    subscription.on('error', () => undefined)
    subscription.once('confirmation', () => {
      this.#isLost = false
      // What came while nobody listened.
      this.#doorbell.ring()
    })
    try {
      for await (const _event of subscription) this.#doorbell.ring()
    } catch (error) {
      if (!this.#isLost && !this.#closing.signal.aborted) {
        this.logger.warn({ error: String(error) }, 'cannot listen for events')
      }
      this.#isLost = true
    }
    await subscription.unsubscribe().catch(() => undefined)
  }
}
