import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, testConfig } from '../../../test/app.ts'
import { createLogger } from '../logging/logger.ts'
import { migrate } from './migrate.ts'
import { createPool } from './postgres.module.ts'

const logger = createLogger('silent', 'test')
let folder: string
let database: Awaited<ReturnType<typeof createDatabase>>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'earmark-migrations-'))
  database = await createDatabase(folder)
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

// Seen red with the time limit of every other statement: on a large table the product would never have come up again.
it('takes as long as a migration needs, and so does whoever waits for it', async () => {
  await writeFile(path.join(folder, '0001_slow.sql'), 'select pg_sleep(0.5); create table made (it int)')
  const config = testConfig({ DATABASE_URL: database.url })
  const pools = [1, 2].map(() => createPool(config, logger, { statement_timeout: 100 }))
  await Promise.all(pools.map((pool) => migrate(pool, folder, logger)))
  for (const pool of pools) {
    expect((await pool.query('select from migrations')).rowCount).toBe(1)
    expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '100ms' }])
    await pool.end()
  }
})
