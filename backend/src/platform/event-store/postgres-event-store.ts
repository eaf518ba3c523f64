import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import pg from 'pg'
import type { Logger } from 'pino'
import { CONFIG, type Config } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'
import { EventStore, type NewEvent, type RecordedEvent } from './event-store.ts'

const channel = 'earmark_events'
const uniqueViolation = '23505'

const columns = 'stream_id, revision, position, event_id, type, schema_version, data, recorded_at'

// One statement takes the positions from the counter row and writes the events: the row's lock is held until the
// commit, so positions are gapless and in commit order.
const appendStatement = `
  with counter as (
    update event_store_position set position = position + $1 returning position - $1 as before
  ), appended as (
    insert into events (position, stream_id, revision, event_id, type, schema_version, data, metadata, operation_id, refers_to)
    select counter.before + item.place, $2, $3 + item.place, item.event_id, item.type, item.schema_version,
           item.data, item.metadata, item.operation_id, item.refers_to
    from counter, jsonb_to_recordset($4) as item(
      place int, event_id uuid, type text, schema_version smallint, data jsonb, metadata jsonb, operation_id text, refers_to text
    )
  )
  select pg_notify('${channel}', '')`

@Injectable()
export class PostgresEventStore extends EventStore implements OnApplicationShutdown {
  #listener: Promise<pg.Client> | undefined
  #listening: pg.Client | undefined
  readonly #waiting = new Set<() => void>()

  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super()
  }

  async readForDecision(streamId: string, operationIds: readonly string[]): Promise<RecordedEvent[]> {
    return this.#read(
      `select ${columns} from (
         (select ${columns} from events where stream_id = $1 order by revision desc limit 1)
         union
         select ${columns} from events where stream_id = $1 and operation_id = any($2)
         union
         select ${columns} from events where stream_id = $1 and refers_to = any($2)
       ) relevant order by revision`,
      [streamId, operationIds],
      'read-for-decision',
    )
  }

  async readStream(streamId: string): Promise<RecordedEvent[]> {
    return this.#read(`select ${columns} from events where stream_id = $1 order by revision`, [streamId])
  }

  async readHead(streamId: string): Promise<RecordedEvent | undefined> {
    const sql = `select ${columns} from events where stream_id = $1 order by revision desc limit 1`
    const [head] = await this.#read(sql, [streamId], 'read-head')
    return head
  }

  async readAll(position: number, limit: number): Promise<RecordedEvent[]> {
    return this.#read(`select ${columns} from events where position > $1 order by position limit $2`, [
      position,
      limit,
    ])
  }

  async append(
    streamId: string,
    expectedRevision: number,
    events: readonly NewEvent[],
  ): Promise<'appended' | 'conflict'> {
    const items = events.map((event, index) => ({
      place: index + 1,
      event_id: event.eventId,
      type: event.type,
      schema_version: event.schemaVersion,
      data: event.data,
      metadata: event.metadata,
      operation_id: event.operationId,
      refers_to: event.refersTo ?? null,
    }))
    try {
      await this.pool.query({
        name: 'append',
        text: appendStatement,
        values: [events.length, streamId, expectedRevision, JSON.stringify(items)],
      })
      return 'appended'
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return 'conflict'
      throw error
    }
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

  async #read(text: string, values: unknown[], name?: string): Promise<RecordedEvent[]> {
    const { rows } = await this.pool.query<EventRow>(
      name === undefined ? { text, values } : { name, text, values },
    )
    return rows.map((row) => ({
      streamId: row.stream_id,
      revision: row.revision,
      position: row.position,
      eventId: row.event_id,
      type: row.type,
      schemaVersion: row.schema_version,
      data: row.data,
      recordedAt: row.recorded_at,
    }))
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
  position: number
  event_id: string
  type: string
  schema_version: number
  data: Record<string, unknown>
  recorded_at: Date
}
