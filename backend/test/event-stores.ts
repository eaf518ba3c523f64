import { startEventStore } from '@earmark/sandbox/event-store/start-event-store'
import pg from 'pg'
import type { EventStore } from '../src/platform/event-store/event-store.ts'
import { EventStoreDbEventStore } from '../src/platform/event-store/eventstoredb-event-store.ts'
import { operationIndexProjection } from '../src/platform/event-store/operation-index.projection.ts'
import { PostgresEventStore } from '../src/platform/event-store/postgres-event-store.ts'
import type { Config } from '../src/platform/config/config.ts'
import { createLogger } from '../src/platform/logging/logger.ts'
import { createPool, type Pool } from '../src/platform/postgres/postgres.module.ts'
import { Projector } from '../src/platform/projections/projector.ts'
import { createDatabase, testConfig } from './app.ts'

/** A store of its own for one test file, behind a fresh database. */
export type StoreUnderTest = {
  config: Config
  pool: Pool
  /** The store as one more process has it. */
  open: () => EventStore
  /** Ends all that is under way between any process and the store, as a crash does. */
  breakConnections: () => Promise<void>
  /** What is stored was stored that much earlier. */
  letTimePass: (days: number) => Promise<void>
  close: () => Promise<void>
}

const logger = createLogger(process.env.TEST_LOG_LEVEL ?? 'silent', 'test')

/** Both stores pass the same tests. */
export const eventStores = { PostgreSQL: onPostgres, EventStoreDB: onEventStoreDb } as const

async function onPostgres(): Promise<StoreUnderTest> {
  const { url, close, ...parts } = await openDatabase({})
  const opened: PostgresEventStore[] = []
  return {
    ...parts,
    open() {
      const store = new PostgresEventStore(parts.pool, parts.config, logger)
      opened.push(store)
      return store
    },
    breakConnections: () => endConnections(url),
    async letTimePass(days) {
      await parts.pool.query(`update events set recorded_at = recorded_at - $1 * interval '1 day'`, [days])
    },
    async close() {
      for (const store of opened) await store.onApplicationShutdown()
      await close()
    },
  }
}

/** The server that EVENTSTORE_URL names, or else the sandbox's, with the operation index being filled beside it. */
async function onEventStoreDb(): Promise<StoreUnderTest> {
  const realServer = process.env.EVENTSTORE_URL
  if (realServer === undefined) console.log('EVENTSTORE_URL is not set: the sandbox stands for EventStoreDB.')
  const sandbox = realServer === undefined ? await startEventStore() : undefined
  const { url, close, ...parts } = await openDatabase({ EVENTSTORE_URL: realServer ?? sandbox?.url ?? '' })
  const opened: EventStoreDbEventStore[] = []
  const open = () => {
    const store = new EventStoreDbEventStore(parts.pool, parts.config, logger)
    opened.push(store)
    return store
  }
  const projector = new Projector(operationIndexProjection, { events: open(), pool: parts.pool, logger })
  projector.start()
  let restarting: Promise<void> | undefined
  return {
    ...parts,
    open,
    async breakConnections() {
      restarting ??= sandbox?.control.restart(5, 5).finally(() => (restarting = undefined))
      await Promise.all([restarting, endConnections(url)])
    },
    letTimePass(days) {
      sandbox?.control.advanceClock(days * 86_400_000)
      return Promise.resolve()
    },
    async close() {
      await projector.stop()
      for (const store of opened) await store.onApplicationShutdown()
      await sandbox?.close()
      await close()
    },
  }
}

async function openDatabase(environment: Record<string, string>) {
  const database = await createDatabase()
  const config = testConfig({ DATABASE_URL: database.url, ...environment })
  const pool = createPool(config, logger)
  const close = async () => {
    await pool.end()
    await database.drop()
  }
  return { url: database.url, config, pool, close }
}

async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'breaker' })
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name <> 'breaker'`,
  )
  await client.end()
}
