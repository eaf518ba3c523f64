import { CommandBus } from '@nestjs/cqrs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../test/app.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { DeductCredits } from '../deduct-credits/deduct-credits.handler.ts'
import { microcredits } from '../domain/amounts.ts'
import { RefundCredits } from '../refund-credits/refund-credits.handler.ts'

const note = { description: 'for a test' }
const dayOf = (date: Date, timeZone = 'UTC') => new Intl.DateTimeFormat('en-CA', { timeZone }).format(date)

describe('what was spent', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await startApp()
  })

  afterAll(() => app.close())

  // Seen red with lines of the wrong day.
  it('counts what came back against the day on which it was taken', async () => {
    const user = await app.signUp(1)
    const bus = app.app.get(CommandBus)
    const deduct = (operationId: string, amount: number) =>
      bus.execute(
        new DeductCredits(user.id, {
          operationId,
          operationType: 'summary',
          amountMicrocredits: microcredits(amount),
          note,
        }),
      )
    await deduct('kept', 30_000)
    await deduct('given back', 50_000)
    await bus.execute(
      new RefundCredits(user.id, {
        type: 'refund_rest',
        operationId: 'given back:give-back',
        deductionId: 'given back',
        note,
      }),
    )
    // The history is brought up to date by being read; then the two deductions were yesterday.
    await app.call('GET', '/credits/transactions', { token: user.token })
    const yesterday = new Date(Date.now() - 86_400_000)
    await app.app
      .get<Database>(DATABASE)
      .updateTable('credit_transactions')
      .set({ created_at: yesterday })
      .where('account_id', '=', user.id)
      .where('transaction_type', '=', 'deduct')
      .execute()

    const before = new Date()
    const { body } = await app.call('GET', '/credits/spending?days=3', { token: user.token })
    const days = body.days as { date: string; spent: number }[]
    expect(days).toHaveLength(3)
    expect(days.filter(({ spent }) => spent !== 0)).toEqual([{ date: dayOf(yesterday), spent: 0.03 }])
    // A day may have begun meanwhile.
    expect([dayOf(before), dayOf(new Date())]).toContain(days.at(-1)?.date)
  })

  // Seen red with days that begin in UTC.
  it.each(['UTC', 'Europe/Lisbon', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta'])(
    'begins its days in %s',
    async (zone) => {
      const { token } = await app.signUp()
      const before = new Date()
      const { status, body } = await app.call('GET', `/credits/spending?days=1&time_zone=${zone}`, { token })
      expect(status).toBe(200)
      const today = [dayOf(before, zone), dayOf(new Date(), zone)]
      expect(body.days).toEqual([{ date: expect.toBeOneOf(today), spent: 0 }])
    },
  )

  it.each(['AET', 'IST', 'SystemV/PST8', '+02:00', 'Mars/Olympus', "UTC'--"])(
    'refuses the time zone %s',
    async (zone) => {
      const { token } = await app.signUp()
      const query = new URLSearchParams({ time_zone: zone }).toString()
      expect(await app.call('GET', `/credits/spending?${query}`, { token })).toMatchObject({ status: 400 })
    },
  )
})
