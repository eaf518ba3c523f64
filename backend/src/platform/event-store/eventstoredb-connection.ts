import { setTimeout as sleep } from 'node:timers/promises'
import {
  CancelledError,
  type Credentials,
  DeadlineExceededError,
  type EventData,
  EventStoreDBClient,
  NO_STREAM,
  type ResolvedEvent,
  type StreamingRead,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'

/** An append whose outcome stays unknown for so long is given back to its caller. */
const appendWithinMs = 10_000
const readWithinMs = 4000
/** Far longer than a server takes that is not stuck, and twice as long with each try. */
const firstTryMs = 500
const longestTryMs = 4000
const retryMs = 25
/** What is under way when a connection dies makes the client fail where nobody listens; so much does not. */
const appendsUnderWay = 64
const readsUnderWay = 64

/** The server could not be reached, or did not answer: whether an append was stored is unknown. */
export class EventStoreUnreachableError extends Error {
  override readonly name = 'EventStoreUnreachableError'
  readonly code = 'ETIMEDOUT'

  constructor(cause: unknown) {
    super(`EventStoreDB does not answer: ${String(cause)}`, { cause })
  }
}

/**
 * A connection to EventStoreDB that outlasts its server's restarts: what has no known outcome is asked again, an
 * append with the same event ids, grouping and expected revision, by which the server knows it.
 */
export class EventStoreDbConnection {
  readonly client: EventStoreDBClient
  readonly #credentials: Credentials
  readonly #appends = new Slots(appendsUnderWay)
  readonly #reads = new Slots(readsUnderWay)

  constructor(url: string) {
    // A frozen server is noticed by these alone where a call has no deadline, such as a subscription.
    this.client = EventStoreDBClient.connectionString(
      `${url}${url.includes('?') ? '&' : '?'}keepAliveInterval=2000&keepAliveTimeout=2000`,
    )
    this.#credentials = credentialsIn(url)
  }

  /** Appends behind `expectedRevision` (-1: the stream is empty); `conflict`: the stream has moved on, nothing was written. */
  append(streamId: string, expectedRevision: number, events: EventData[]): Promise<'appended' | 'conflict'> {
    return persistently(this.#appends, appendWithinMs, async (deadline, isRepeat) => {
      try {
        const { nextExpectedRevision } = await this.client.appendToStream(streamId, events, {
          expectedRevision: expectedRevision < 0 ? NO_STREAM : BigInt(expectedRevision),
          // Given with the call they choose the unary way: the other one shares its failures among all appends of
          // the process and knows no deadline.
          credentials: this.#credentials,
          deadline,
        })
        if (Number(nextExpectedRevision) === expectedRevision + events.length) return 'appended'
      } catch (error) {
        if (!(error instanceof WrongExpectedVersionError)) throw error
        return isRepeat && (await this.#isStored(streamId, expectedRevision, events))
          ? 'appended'
          : 'conflict'
      }
      throw new Error(`EventStoreDB put an append behind ${streamId} #${expectedRevision} somewhere else`)
    })
  }

  /** The events of a read, which should name a count: a failure in its midst begins it anew. None where there is no stream. */
  read(open: (client: EventStoreDBClient) => StreamingRead<ResolvedEvent>): Promise<ResolvedEvent[]> {
    return persistently(this.#reads, readWithinMs, async (deadline) => {
      try {
        return await collect(open(this.client), deadline)
      } catch (error) {
        if (error instanceof StreamNotFoundError) return []
        throw error
      }
    })
  }

  async close() {
    await this.client.dispose()
  }

  async #isStored(streamId: string, expectedRevision: number, events: EventData[]): Promise<boolean> {
    const stored = await this.read((client) =>
      client.readStream(streamId, { fromRevision: BigInt(expectedRevision + 1), maxCount: events.length }),
    )
    return events.every(({ id }, index) => stored[index]?.event?.id === id)
  }
}

async function persistently<T>(
  slots: Slots,
  withinMs: number,
  attempt: (deadlineMs: number, isRepeat: boolean) => Promise<T>,
): Promise<T> {
  const givesUpAt = performance.now() + withinMs
  let failure: unknown = new Error('Too much waits for it')
  for (let tries = 0; ; tries += 1) {
    try {
      return await slots.use(() => {
        const leftMs = Math.ceil(givesUpAt - performance.now())
        if (leftMs <= 0) throw new EventStoreUnreachableError(failure)
        return attempt(Math.min(firstTryMs * 2 ** tries, longestTryMs, leftMs), tries > 0)
      })
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error
      failure = error
    }
    await sleep(retryMs)
  }
}

// gRPC: cancelled, deadline exceeded, aborted, unavailable.
const unknownOutcomeCodes = new Set<unknown>([1, 4, 10, 14])

function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof EventStoreUnreachableError) return false
  return (
    error instanceof UnavailableError ||
    error instanceof CancelledError ||
    error instanceof DeadlineExceededError ||
    error instanceof TimeoutError ||
    ('code' in error && unknownOutcomeCodes.has(error.code)) ||
    // The last one is a connection that broke in the midst of an answer.
    /Server Is (Not Ready|Busy)|RST_STREAM/.test(error.message)
  )
}

class ReadTimeoutError extends Error {
  override readonly name = 'ReadTimeoutError'
  readonly code = 4
}

async function collect(read: StreamingRead<ResolvedEvent>, deadlineMs: number): Promise<ResolvedEvent[]> {
  // The client may report a failure once more when nobody reads any longer.
  read.on('error', () => undefined)
  const timer = setTimeout(() => read.destroy(new ReadTimeoutError('A read had no end in time')), deadlineMs)
  const events: ResolvedEvent[] = []
  try {
    for await (const event of read) events.push(event)
    return events
  } catch (error) {
    // Leaving alone would not end the call. It has none where no connection could be made.
    await read.cancel().catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** So many at once; the others wait for their turn. */
class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

function credentialsIn(url: string): Credentials {
  const [, username = '', password = ''] = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(url) ?? []
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}
