import pg from 'pg'
import type { EventStore } from '../src/platform/event-store/event-store.ts'
import { PostgresEventStore } from '../src/platform/event-store/postgres-event-store.ts'
import type { Config } from '../src/platform/config/config.ts'
import { createLogger } from '../src/platform/logging/logger.ts'
import { createPool, type Pool } from '../src/platform/postgres/postgres.module.ts'
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
export const eventStores = { PostgreSQL: onPostgres } as const

async function onPostgres(): Promise<StoreUnderTest> {
  const database = await createDatabase()
  const config = testConfig({ DATABASE_URL: database.url })
  const pool = createPool(config, logger)
  const opened: PostgresEventStore[] = []
  return {
    config,
    pool,
    open() {
      const store = new PostgresEventStore(pool, config, logger)
      opened.push(store)
      return store
    },
    breakConnections: () => endConnections(database.url),
    async letTimePass(days) {
      await pool.query(`update events set recorded_at = recorded_at - $1 * interval '1 day'`, [days])
    },
    async close() {
      for (const store of opened) await store.onApplicationShutdown()
      await pool.end()
      await database.drop()
    },
  }
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
