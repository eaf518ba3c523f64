import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import pg from 'pg'
import type { Logger } from 'pino'
import { CONFIG, type Config } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { createPool, POOL, type Pool } from '../postgres/postgres.module.ts'
import { isUnreachable } from '../unreachable.ts'
import { LedgerElsewhereError } from './event-store-home.ts'
import { EventStore, type NewEvent, type PositionedEvent, type RecordedEvent } from './event-store.ts'
import { PostgresListener } from './postgres-listener.ts'
import { appendStatement, decisionsStatement, eventColumns, headsStatement } from './postgres-statements.ts'
import { SharedRoundTrips } from '../shared-round-trips.ts'

/** What `append_events` raises: object_not_in_prerequisite_state. */
const keptElsewhere = '55000'

/** A reply that has not come by then is taken for lost. Far longer than any append takes that is not stuck. */
const replyTimeoutMs = 2500
/** Of each kind of question. Two: one is decided on or read while the server is at the other. */
const tripsUnderWay = 2
const limits = { underWay: tripsUnderWay, questions: 512, timeoutMs: 5000 }
/** Of many events at once. */
const pageTimeoutMs = 35_000

// A plan that was made while the table was small must not scan it when it is large.
const planning = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan'

type AppendOutcome = 'appended' | 'conflict'
type Append = { streamId: string; expectedRevision: number; events: readonly NewEvent[] }
type Question = { streamId: string; operationIds: readonly string[] }

/** Events in the database. What comes at the same time shares a round trip, appends a transaction and its fsync. */
@Injectable()
export class PostgresEventStore extends EventStore implements OnApplicationShutdown {
  /** Of its own, so that no other query makes an append wait for a connection. */
  readonly #connections: Pool
  readonly #listener: PostgresListener
  readonly #appends = new SharedRoundTrips((appends: Append[]) => this.#appendTogether(appends), limits)
  readonly #decisions = new SharedRoundTrips((asked: Question[]) => this.#readForDecisions(asked), limits)
  readonly #heads = new SharedRoundTrips((streamIds: string[]) => this.#readHeads(streamIds), limits)

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) config: Config,
    @Inject(LOGGER) logger: Logger,
  ) {
    super()
    this.#connections = createPool(config, logger, {
      max: 3 * tripsUnderWay,
      options: planning,
      // The server, too, forgets a statement that nobody waits for any more.
      statement_timeout: replyTimeoutMs,
      lock_timeout: replyTimeoutMs,
    })
    this.#listener = new PostgresListener(config.database.url, logger)
  }

  readForDecision(streamId: string, operationIds: readonly string[]): Promise<RecordedEvent[]> {
    return this.#decisions.ask({ streamId, operationIds })
  }

  readHead(streamId: string): Promise<RecordedEvent | undefined> {
    return this.#heads.ask(streamId)
  }

  append(streamId: string, expectedRevision: number, events: readonly NewEvent[]): Promise<AppendOutcome> {
    return this.#appends.ask({ streamId, expectedRevision, events })
  }

  async readStream(streamId: string, fromRevision = 0, limit?: number): Promise<RecordedEvent[]> {
    const text = `select ${eventColumns} from events where stream_id = $1 and revision >= $2 order by revision limit $3`
    return (await this.#page<EventRow>(text, [streamId, fromRevision, limit])).map(toRecordedEvent)
  }

  async readAll(position: number, limit: number): Promise<PositionedEvent[]> {
    const text = `select position, ${eventColumns} from events where position > $1 order by position limit $2`
    const rows = await this.#page<EventRow & { position: number }>(text, [position, limit])
    return rows.map((row) => ({ ...toRecordedEvent(row), position: row.position }))
  }

  waitForEvents(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.#listener.wait(timeoutMs, signal)
  }

  async onApplicationShutdown() {
    await this.#listener.close()
    await this.#connections.end()
  }

  async #appendTogether(appends: Append[]): Promise<(AppendOutcome | Promise<AppendOutcome>)[]> {
    try {
      return await this.#appendInOneTransaction(appends)
    } catch (error) {
      if (appends.length === 1 || isUnreachable(error)) throw error
      // One that the database cannot take must not fail the others with it.
      return appends.map(async (append) => {
        const [outcome] = await this.#appendInOneTransaction([append])
        return outcome ?? 'conflict'
      })
    }
  }

  async #appendInOneTransaction(appends: Append[]): Promise<AppendOutcome[]> {
    const streams = appends.map(({ streamId, expectedRevision }, place) => ({
      place,
      stream_id: streamId,
      expected_revision: expectedRevision,
    }))
    const items = appends.flatMap(({ events }, stream) =>
      events.map((event, index) => toItem(event, stream, index + 1)),
    )
    const values = [JSON.stringify(streams), JSON.stringify(items)]
    try {
      const [row] = await this.#ask<{ appended: number[] }>('append-events', appendStatement, values)
      const appended = new Set(row?.appended)
      return appends.map((_, place) => (appended.has(place) ? 'appended' : 'conflict'))
    } catch (error) {
      throw error instanceof pg.DatabaseError && error.code === keptElsewhere
        ? new LedgerElsewhereError()
        : error
    }
  }

  async #readForDecisions(questions: Question[]): Promise<RecordedEvent[][]> {
    const wanted = questions.map(({ streamId, operationIds }, place) => ({
      place,
      stream_id: streamId,
      operation_ids: operationIds,
    }))
    const rows = await this.#ask<EventRow & { question: number }>('decisions', decisionsStatement, [
      JSON.stringify(wanted),
    ])
    const found = questions.map(() => new Map<number, RecordedEvent>())
    for (const row of rows) found[row.question]?.set(row.revision, toRecordedEvent(row))
    return found.map((events) => [...events.values()].sort((one, other) => one.revision - other.revision))
  }

  async #readHeads(streamIds: string[]): Promise<(RecordedEvent | undefined)[]> {
    const rows = await this.#ask<EventRow>('heads', headsStatement, [[...new Set(streamIds)]])
    const heads = new Map(rows.map((row) => [row.stream_id, toRecordedEvent(row)]))
    return streamIds.map((streamId) => heads.get(streamId))
  }

  async #ask<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.#connections.query<Row>({ ...within(replyTimeoutMs), name, text, values })
    return rows
  }

  async #page<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ ...within(pageTimeoutMs), text, values })
    return rows
  }
}

/** The client's own time limit, which its types do not name: where a reply is lost, the server's own never ends the wait. */
function within(timeoutMs: number): object {
  return { query_timeout: timeoutMs }
}

type EventRow = {
  stream_id: string
  revision: number
  event_id: string
  type: string
  schema_version: number
  data: Record<string, unknown>
  metadata: Record<string, unknown>
  operation_id: string
  refers_to: string | null
  recorded_at: Date
}

function toRecordedEvent(row: EventRow): RecordedEvent {
  return {
    streamId: row.stream_id,
    revision: row.revision,
    eventId: row.event_id,
    type: row.type,
    schemaVersion: row.schema_version,
    data: row.data,
    metadata: row.metadata,
    operationId: row.operation_id,
    ...(row.refers_to !== null && { refersTo: row.refers_to }),
    recordedAt: row.recorded_at,
  }
}

/** As `append_events` reads it; `place` counts from 1 behind the expected revision. */
function toItem(event: NewEvent, stream: number, place: number) {
  return {
    stream,
    place,
    event_id: event.eventId,
    type: event.type,
    schema_version: event.schemaVersion,
    data: event.data,
    metadata: event.metadata,
    operation_id: event.operationId,
    refers_to: event.refersTo,
    recorded_at: event.recordedAt,
  }
}
