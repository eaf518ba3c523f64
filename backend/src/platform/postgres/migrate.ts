import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createPool, type Pool } from './postgres.module.ts'

/** Beside the package's manifest, wherever the bundle puts this module. */
export const migrationsFolder = path.join(
  path.dirname(findPackageJSON('.', import.meta.url) ?? ''),
  'migrations',
)

/** Any number, the same for every process: one migrates, the others wait for it. */
const migrationLock = 4_800_001

/** Brings the configured database up to date before a process begins. Whoever comes first does it; the others wait. */
export async function migrateDatabase(config: Config, logger: Logger): Promise<void> {
  const pool = createPool(config, logger)
  try {
    await migrate(pool, migrationsFolder, logger)
  } finally {
    await pool.end()
  }
}

/**
 * Applies each file of `folder` that is not applied yet, in the order of their names, each in a transaction of its own.
 * @throws when a file that was applied has changed since: history is added to, never rewritten.
 */
export async function migrate(pool: Pool, folder: string, logger: Logger): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const client = await pool.connect()
  try {
    // A table that is large takes long, and so does the wait for another process that is at it.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from migrations',
    )
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    for (const name of files) {
      const sql = await readFile(path.join(folder, name), 'utf8')
      const sha256 = createHash('sha256').update(sql).digest('hex')
      const before = applied.get(name)
      if (before === sha256) continue
      if (before !== undefined) throw new Error(`Migration ${name} was applied already and has changed since`)
      await client.query('begin')
      try {
        await client.query(sql)
        await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
      logger.info({ migration: name }, 'migration applied')
    }
  } finally {
    // The lock and the settings go with the connection.
    client.release(true)
  }
}
