import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import pg from 'pg'
import type { Logger } from 'pino'
import { CONFIG, type Config } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'
import { isUnreachable } from '../unreachable.ts'
import { LedgerElsewhereError } from './event-store-home.ts'
import { EventStore, type NewEvent, type PositionedEvent, type RecordedEvent } from './event-store.ts'
import { SharedRoundTrips } from './shared-round-trips.ts'

const channel = 'earmark_events'
/** What `append_events` raises: object_not_in_prerequisite_state. */
const keptElsewhere = '55000'

/** A reply that has not come by then is taken for lost. Far longer than any append takes that is not stuck. */
const replyTimeoutMs = 2500
/** Two: one batch is written while the next one is decided on and read by the server. */
const batchesUnderWay = 2
const batchSize = 512

const columns =
  'stream_id, revision, event_id, type, schema_version, data, metadata, operation_id, refers_to, recorded_at'

const columnsOfEvent = columns.replace(/\w+/g, '(event).$&')

type AppendOutcome = 'appended' | 'conflict'
type Append = { streamId: string; expectedRevision: number; events: readonly NewEvent[] }
type Question = { streamId: string; operationIds: readonly string[] }

@Injectable()
export class PostgresEventStore extends EventStore implements OnApplicationShutdown {
  #listener: Promise<pg.Client> | undefined
  #listening: pg.Client | undefined
  readonly #waiting = new Set<() => void>()
  readonly #appends = new SharedRoundTrips((appends: Append[]) => this.#appendTogether(appends), {
    underWay: batchesUnderWay,
    questions: batchSize,
  })
  readonly #decisions = new SharedRoundTrips((questions: Question[]) => this.#readForDecisions(questions), {
    underWay: batchesUnderWay,
    questions: batchSize,
  })
  readonly #heads = new SharedRoundTrips((streamIds: string[]) => this.#readHeads(streamIds), {
    underWay: batchesUnderWay,
    questions: batchSize,
  })

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super()
  }

  readForDecision(streamId: string, operationIds: readonly string[]): Promise<RecordedEvent[]> {
    return this.#decisions.ask({ streamId, operationIds })
  }

  readHead(streamId: string): Promise<RecordedEvent | undefined> {
    return this.#heads.ask(streamId)
  }

  /** Appends that come at the same time share one transaction: one fsync for all of them. */
  append(streamId: string, expectedRevision: number, events: readonly NewEvent[]): Promise<AppendOutcome> {
    return this.#appends.ask({ streamId, expectedRevision, events })
  }

  async readStream(streamId: string, fromRevision = 0, limit?: number): Promise<RecordedEvent[]> {
    const text = `select ${columns} from events where stream_id = $1 and revision >= $2 order by revision limit $3`
    return (await this.#query<EventRow>(text, [streamId, fromRevision, limit])).map(toRecordedEvent)
  }

  async readAll(position: number, limit: number): Promise<PositionedEvent[]> {
    const text = `select position, ${columns} from events where position > $1 order by position limit $2`
    const rows = await this.#query<EventRow & { position: number }>(text, [position, limit])
    return rows.map((row) => ({ ...toRecordedEvent(row), position: row.position }))
  }

  async waitForEvents(timeoutMs: number, signal: AbortSignal): Promise<void> {
    // A notification may be missed while the listener reconnects: the time limit is what promises progress.
    await this.#listen().catch((error: unknown) =>
      this.logger.warn({ error: String(error) }, 'cannot listen for events'),
    )
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, timeoutMs)
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }

  async onApplicationShutdown() {
    const listener = await this.#listener?.catch(() => undefined)
    await listener?.end()
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
    const [row] = await this.#query<{ appended: number[] }>(
      'select append_events($1, $2) as appended',
      [JSON.stringify(streams), JSON.stringify(items)],
      'append-events',
    ).catch((error: unknown) => {
      throw error instanceof pg.DatabaseError && error.code === keptElsewhere
        ? new LedgerElsewhereError()
        : error
    })
    const appended = new Set(row?.appended)
    return appends.map((_, place) => (appended.has(place) ? 'appended' : 'conflict'))
  }

  async #readForDecisions(questions: Question[]): Promise<RecordedEvent[][]> {
    const wanted = questions.map(({ streamId, operationIds }, place) => ({
      place,
      stream_id: streamId,
      operation_ids: operationIds,
    }))
    const rows = await this.#query<EventRow & { question: number }>(
      `select question, ${columnsOfEvent} from events_for_decisions($1)`,
      [JSON.stringify(wanted)],
      'events-for-decisions',
    )
    const found = questions.map(() => new Map<number, RecordedEvent>())
    for (const row of rows) found[row.question]?.set(row.revision, toRecordedEvent(row))
    return found.map((events) => [...events.values()].sort((one, other) => one.revision - other.revision))
  }

  async #readHeads(streamIds: string[]): Promise<(RecordedEvent | undefined)[]> {
    const distinct = [...new Set(streamIds)]
    const rows = await this.#query<EventRow>(
      `select ${columns} from stream_heads($1)`,
      [distinct],
      'stream-heads',
    )
    const heads = new Map(rows.map((row) => [row.stream_id, toRecordedEvent(row)]))
    return streamIds.map((streamId) => heads.get(streamId))
  }

  async #query<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[],
    name?: string,
  ): Promise<Row[]> {
    // The client's own time limit, which its types do not name: a server whose reply is lost never ends the statement.
    const limit: object = { query_timeout: replyTimeoutMs }
    const { rows } = await this.pool.query<Row>({
      ...limit,
      text,
      values,
      ...(name !== undefined && { name }),
    })
    return rows
  }

  #listen(): Promise<pg.Client> {
    this.#listener ??= this.#openListener().catch((error: unknown) => {
      this.#listener = undefined
      throw error
    })
    return this.#listener
  }

  async #openListener(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.config.database.url,
      application_name: 'earmark-listener',
    })
    const lost = () => {
      // `error` and `end` both come: the second must not forget the listener that was opened since.
      if (this.#listening === client) {
        this.#listener = undefined
        this.#listening = undefined
      }
      for (const wake of this.#waiting) wake()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', () => {
      for (const wake of this.#waiting) wake()
    })
    this.#listening = client
    await client.connect()
    await client.query(`listen ${channel}`)
    return client
  }
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
