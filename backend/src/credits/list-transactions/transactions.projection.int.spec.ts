import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, testConfig } from '../../../test/app.ts'
import { PostgresEventStore } from '../../platform/event-store/postgres-event-store.ts'
import { createLogger } from '../../platform/logging/logger.ts'
import { createPool, type Pool } from '../../platform/postgres/postgres.module.ts'
import { Projector } from '../../platform/projections/projector.ts'
import { microcredits } from '../domain/amounts.ts'
import { Ledger } from '../ledger.ts'
import { transactionsProjection } from './transactions.projection.ts'

const logger = createLogger('silent', 'test')
const note = { description: 'test' }

describe('the projection of the credit history', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pool: Pool
  let store: PostgresEventStore
  let ledger: Ledger

  beforeEach(async () => {
    database = await createDatabase()
    const config = testConfig({ DATABASE_URL: database.url })
    pool = createPool(config, logger)
    store = new PostgresEventStore(pool, config, logger)
    ledger = new Ledger(store, config)
  })

  afterEach(async () => {
    await store.onApplicationShutdown()
    await pool.end()
    await database.drop()
  })

  const projector = (through = pool) =>
    new Projector(transactionsProjection, { events: store, pool: through, logger })

  const grant = (user: string, amount: number) =>
    ledger.execute(user, {
      type: 'grant',
      operationType: 'grant',
      operationId: randomUUID(),
      amountMicrocredits: microcredits(amount),
      note,
    })

  it('keeps the lines and the checkpoint together when it is interrupted, whoever goes on', async () => {
    const user = randomUUID()
    for (let turn = 0; turn < 20; turn += 1) await grant(user, 1000)
    await expect(projector(failingNow(pool)).projectBatch()).rejects.toThrow('the process died here')

    const again = projector()
    await Promise.all([again.projectBatch(), projector().projectBatch(), projector().projectBatch()])
    await again.projectBatch()
    const { rows: lines } = await pool.query('select from credit_transactions where account_id = $1', [user])
    const { rows: accounts } = await pool.query('select * from credit_accounts')
    expect(lines).toHaveLength(20)
    expect(accounts).toEqual([
      { account_id: user, revision: 19, balance_microcredits: 20_000, owed_microcredits: 0 },
    ])
  })
})

/** A pool whose transaction dies between the rows and the checkpoint. */
function failingNow(pool: Pool): Pool {
  return new Proxy(pool, {
    get(target, property) {
      if (property !== 'connect') return Reflect.get(target, property) as unknown
      return async () => {
        const client = await target.connect()
        return new Proxy(client, {
          get(inner, name) {
            const value = Reflect.get(inner, name) as unknown
            if (name !== 'query') return typeof value === 'function' ? (value.bind(inner) as unknown) : value
            return (text: unknown, values?: unknown[]) =>
              typeof text === 'string' && text.startsWith('update projection_checkpoints')
                ? Promise.reject(new Error('the process died here'))
                : inner.query(text as string, values)
          },
        })
      }
    },
  })
}
