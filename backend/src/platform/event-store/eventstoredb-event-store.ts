import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { BACKWARDS, END, type ReadPosition, START } from '@eventstore/db-client'
import type { Logger } from 'pino'
import { CONFIG, type Config } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'
import {
  EventStore,
  type NewEvent,
  type PositionedEvent,
  type RecordedEvent,
  streamPrefix,
} from './event-store.ts'
import { LedgerElsewhereError } from './event-store-home.ts'
import { EventStoreDbConnection } from './eventstoredb-connection.ts'
import { EventStoreDbDoorbell } from './eventstoredb-doorbell.ts'
import { positionOf, toEventData, toPositionedEvent, toRecordedEvent } from './eventstoredb-event.ts'
import { OperationIndex } from './eventstoredb-operations.ts'

const pageSize = 1000
/** An append has a limit of 1,048,576 bytes. Half of it leaves room for what counts beside an event's own JSON. */
const bytesPerAppend = 512 * 1024

/**
 * Events in EventStoreDB. What the server alone cannot promise, that an operation is carried out once for ever, is
 * looked up in PostgreSQL's operation index and, behind it, in the stream's tail; the expected revision guards
 * against what comes in between.
 */
@Injectable()
export class EventStoreDbEventStore extends EventStore implements OnApplicationShutdown {
  readonly #connection: EventStoreDbConnection
  readonly #operations: OperationIndex
  readonly #doorbell: EventStoreDbDoorbell
  /** Behind the first of these positions and up to the second there is no event of a stream of ours. */
  #quiet: readonly [number, number] = [0, 0]

  constructor(
    @Inject(POOL) pool: Pool,
    @Inject(CONFIG) { eventStore }: { eventStore: Pick<Config['eventStore'], 'url'> },
    @Inject(LOGGER) logger: Logger,
  ) {
    super()
    if (eventStore.url === undefined) throw new Error('EVENTSTORE_URL does not say where EventStoreDB is')
    this.#connection = new EventStoreDbConnection(eventStore.url)
    this.#operations = new OperationIndex(pool)
    this.#doorbell = new EventStoreDbDoorbell(this.#connection.client, streamPrefix, logger)
  }

  async readForDecision(streamId: string, operationIds: readonly string[]): Promise<RecordedEvent[]> {
    const { indexedRevision, revisions } = await this.#operations.ask(streamId, operationIds)
    const tailFrom = Math.max(indexedRevision, 0)
    const [indexed, tail] = await Promise.all([
      Promise.all(
        revisions
          .filter((revision) => revision < tailFrom)
          .map((revision) => this.#eventAt(streamId, revision)),
      ),
      this.#relevantFrom(streamId, tailFrom, operationIds),
    ])
    if (indexedRevision >= 0 && tail.length === 0) {
      throw new Error(
        `${streamId} ends before #${indexedRevision}, which was there: EventStoreDB has lost events`,
      )
    }
    const events = [...indexed, ...tail]
    // What is found is taken for done: it must not be an append that came too late to be moved.
    if (events.some((event) => isAbout(event, operationIds))) await this.#checkStillHome(streamId)
    return events.sort((one, other) => one.revision - other.revision)
  }

  async readStream(streamId: string, fromRevision = 0, limit = Infinity): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = []
    for await (const event of this.#events(streamId, fromRevision, limit)) events.push(event)
    return events
  }

  async readHead(streamId: string): Promise<RecordedEvent | undefined> {
    const [head] = await this.#connection.read((client) =>
      client.readStream(streamId, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }),
    )
    return head && toRecordedEvent(head)
  }

  async append(
    streamId: string,
    expectedRevision: number,
    events: readonly NewEvent[],
  ): Promise<'appended' | 'conflict'> {
    const operationIds = events.map(({ operationId }) => operationId)
    const { home, indexedRevision, revisions } = await this.#operations.ask(streamId, operationIds)
    if (home !== 'eventstoredb' && !(home === 'postgres' && (await this.#operations.claimHome()))) {
      throw new LedgerElsewhereError()
    }
    if (revisions.length > 0 || indexedRevision > expectedRevision) return 'conflict'

    const tailFrom = Math.max(indexedRevision, 0)
    let predecessor: RecordedEvent | undefined
    for await (const event of this.#events(streamId, tailFrom, expectedRevision + 1 - tailFrom)) {
      if (isAbout(event, operationIds)) return 'conflict'
      predecessor = event
    }
    if ((predecessor?.revision ?? -1) !== expectedRevision) return 'conflict'
    const outcome = await this.#connection.append(
      streamId,
      expectedRevision,
      events.map((event) => toEventData(event, predecessor)),
    )
    if (outcome === 'appended') await this.#checkStillHome(streamId)
    return outcome
  }

  /**
   * Puts copies of another store's events, of one stream and in order, at their own revisions, wherever the ledger's
   * home is; those that are there already stay. @throws where another event is in such a place.
   */
  async putCopies(streamId: string, events: readonly RecordedEvent[]): Promise<void> {
    for (const copies of inAppends(events)) {
      const before = (copies[0]?.revision ?? 0) - 1
      const put = (behind: number, some: RecordedEvent[]) =>
        this.#connection.append(
          streamId,
          behind,
          some.map((event) => toEventData(event, undefined)),
        )
      if ((await put(before, copies)) === 'appended') continue
      const there = await this.readStream(streamId, before + 1, copies.length)
      const rest = copies.slice(there.length)
      const isSame = there.every(({ eventId }, index) => eventId === copies[index]?.eventId)
      if (!isSame || (rest.length > 0 && (await put(before + there.length, rest)) === 'conflict')) {
        throw new Error(`EventStoreDB has other events in ${streamId} from #${before + 1} on`)
      }
    }
  }

  async readAll(position: number, limit: number): Promise<PositionedEvent[]> {
    const [quietFrom, quietTo] = this.#quiet
    // The events of a server's own would else be read again by every look for new ones.
    let from = position >= quietFrom && position < quietTo ? quietTo : position
    const events: PositionedEvent[] = []
    for (let isEnd = false; events.length < limit && !isEnd;) {
      const size = Math.min(limit, pageSize) + 1
      const page = await this.#pageOfAll(from, size)
      for (const [index, resolved] of page.entries()) {
        const at = positionOf(resolved)
        // The server's answer begins with the event at the position, which was read already.
        if (index === 0 && at === from) continue
        if (at <= from) throw new Error(`EventStoreDB gave position ${at} to more than one event`)
        if (events.length === limit) break
        from = at
        if (resolved.event?.streamId.startsWith(streamPrefix)) events.push(toPositionedEvent(resolved))
      }
      isEnd = page.length < size
    }
    if (events.length < limit) this.#quiet = [events.at(-1)?.position ?? position, from]
    return events
  }

  async waitForEvents(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await this.#doorbell.wait(timeoutMs, signal)
  }

  async onApplicationShutdown() {
    await this.#doorbell.close()
    await this.#connection.close()
  }

  /**
   * Nothing in EventStoreDB keeps an append out that comes after a move has copied what was there: only what was there
   * while the ledger's home was here is moved. @throws LedgerElsewhereError
   */
  async #checkStillHome(streamId: string) {
    const { home } = await this.#operations.ask(streamId, [])
    if (home !== 'eventstoredb') throw new LedgerElsewhereError()
  }

  /** From `fromRevision` on what the operations wrote or what refers to them, and the last event. */
  async #relevantFrom(streamId: string, fromRevision: number, operationIds: readonly string[]) {
    const relevant: RecordedEvent[] = []
    let head: RecordedEvent | undefined
    for await (const event of this.#events(streamId, fromRevision)) {
      if (isAbout(event, operationIds)) relevant.push(event)
      head = event
    }
    if (head && head !== relevant.at(-1)) relevant.push(head)
    return relevant
  }

  async #eventAt(streamId: string, revision: number): Promise<RecordedEvent> {
    for await (const event of this.#events(streamId, revision, 1))
      if (event.revision === revision) return event
    throw new Error(`${streamId} has no event #${revision}, which was there: EventStoreDB has lost events`)
  }

  async *#events(streamId: string, fromRevision: number, limit = Infinity): AsyncGenerator<RecordedEvent> {
    for (let next = fromRevision; next < fromRevision + limit; next += pageSize) {
      const maxCount = Math.min(pageSize, fromRevision + limit - next)
      const page = await this.#connection.read((client) =>
        client.readStream(streamId, { fromRevision: BigInt(next), maxCount }),
      )
      yield* page.map(toRecordedEvent)
      if (page.length < maxCount) return
    }
  }

  #pageOfAll(position: number, maxCount: number) {
    const place = BigInt(position)
    const fromPosition: ReadPosition = position === 0 ? START : { commit: place, prepare: place }
    return this.#connection.read((client) => client.readAll({ fromPosition, maxCount }))
  }
}

/** The events in order, in groups that one append can take. */
function inAppends(events: readonly RecordedEvent[]): RecordedEvent[][] {
  const groups: RecordedEvent[][] = []
  let bytes = Infinity
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event))
    if (bytes + size > bytesPerAppend) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(event)
    bytes += size
  }
  return groups
}

function isAbout({ operationId, refersTo }: RecordedEvent, operationIds: readonly string[]): boolean {
  return operationIds.includes(operationId) || (refersTo !== undefined && operationIds.includes(refersTo))
}
