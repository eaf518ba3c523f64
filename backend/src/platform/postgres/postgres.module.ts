import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { CONFIG, type Config } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import type { Schema } from './schema.ts'

export const POOL = Symbol('Pool')
export const DATABASE = Symbol('Database')

export type Pool = pg.Pool
export type Database = Kysely<Schema>

// Every bigint here is a count, a position or an amount that the ledger keeps below 2^53; anything else must not pass unseen.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number`)
  return value
})

/** `special` says what differs for one use. */
export function createPool(
  config: Config,
  logger: Logger,
  special: Pick<pg.PoolConfig, 'max' | 'options' | 'statement_timeout' | 'lock_timeout'> = {},
): Pool {
  const pool = new pg.Pool({
    connectionString: config.database.url,
    max: config.database.poolSize,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // A statement that hangs must not hold a request or a job for ever.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'earmark',
    ...special,
  })
  // An idle connection that the server drops is replaced by the next query; without a listener it would end the process.
  pool.on('error', (error) => logger.warn({ error: error.message }, 'database connection lost'))
  // The same for one that is in use between two queries: whoever holds it sees the next query fail.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

@Global()
@Module({
  providers: [
    { provide: POOL, useFactory: createPool, inject: [CONFIG, LOGGER] },
    {
      provide: DATABASE,
      useFactory: (pool: Pool) => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
      inject: [POOL],
    },
  ],
  exports: [POOL, DATABASE],
})
export class PostgresModule implements OnApplicationShutdown {
  constructor(@Inject(POOL) private readonly pool: Pool) {}

  async onApplicationShutdown() {
    await this.pool.end()
  }
}
