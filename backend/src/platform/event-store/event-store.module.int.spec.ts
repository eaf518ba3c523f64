import { startEventStore, type RunningEventStore } from '@earmark/sandbox/event-store/start-event-store'
import { CommandBus } from '@nestjs/cqrs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, testConfig } from '../../../test/app.ts'
import { AppModule } from '../../app.module.ts'
import { DeductCredits } from '../../credits/deduct-credits/deduct-credits.handler.ts'
import { microcredits } from '../../credits/domain/amounts.ts'
import { createHttpApp } from '../http/create-http-app.ts'
import { createLogger } from '../logging/logger.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'

describe('the application, with its ledger in EventStoreDB', () => {
  let server: RunningEventStore
  let app: TestApp
  let user: Awaited<ReturnType<TestApp['signUp']>>

  beforeAll(async () => {
    server = await startEventStore()
    app = await startApp({ EVENTSTORE_URL: server.url })
    user = await app.signUp(5)
    await app.app.get(CommandBus).execute(
      new DeductCredits(user.id, {
        operationId: 'spent',
        operationType: 'summary',
        amountMicrocredits: microcredits(2_000_000),
        note: { description: 'for a test' },
      }),
    )
  })

  afterAll(async () => {
    await app.close()
    await server.close()
  })

  it('shows what is there: the balance, the history, a statement', async () => {
    const { token } = user
    expect((await app.call('GET', '/credits/balance', { token })).body).toEqual({ balance: 3 })
    const { status, body } = await app.call('GET', '/credits/transactions', { token })
    expect(status).toBe(200)
    expect(body.transactions).toMatchObject([
      { transaction_type: 'deduct', amount: 2, balance_after: 3 },
      { transaction_type: 'add', amount: 5, balance_after: 5 },
    ])
    const statement = await app.call('GET', '/credits/statement?from=2020-01-01&to=2100-01-01', { token })
    expect(statement.body).toMatchObject({ opening_balance: 0, closing_balance: 3 })
  })

  it('keeps no event in the database, and the index of the operations up to date', async () => {
    const pool = app.app.get<Pool>(POOL)
    expect((await pool.query('select from events')).rowCount).toBe(0)
    await expect
      .poll(
        async () => (await pool.query('select operation_id from event_operations order by revision')).rows,
      )
      .toEqual([{ operation_id: expect.any(String) }, { operation_id: 'spent' }])
  })

  it('refuses to start where the other store is configured: every balance would read as none', async () => {
    const config = testConfig({ DATABASE_URL: app.config.database.url })
    const logger = createLogger('silent', 'test')
    await expect(
      createHttpApp(AppModule.of(config, logger), config, logger).then((other) => other.init()),
    ).rejects.toThrow(
      'the ledger is kept in eventstoredb, and this process is configured for postgres. Set EVENTSTORE_URL',
    )
  })
})
