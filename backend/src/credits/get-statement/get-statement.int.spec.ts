import { CommandBus } from '@nestjs/cqrs'
import type { Statement } from '@earmark/contracts/credits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../test/app.ts'
import { POOL, type Pool } from '../../platform/postgres/postgres.module.ts'
import { DeductCredits } from '../deduct-credits/deduct-credits.handler.ts'
import { microcredits } from '../domain/amounts.ts'
import { GrantCredits } from '../grant-credits/grant-credits.handler.ts'
import { accountStream } from '../ledger.ts'
import { ReverseCredits } from '../reverse-credits/reverse-credits.handler.ts'

const note = { description: 'for a test' }

describe('a statement', () => {
  let app: TestApp
  let user: Awaited<ReturnType<TestApp['signUp']>>

  beforeAll(async () => {
    app = await startApp()
    user = await app.signUp(5)
    const bus = app.app.get(CommandBus)
    await bus.execute(
      new DeductCredits(user.id, {
        operationId: 'spent',
        operationType: 'summary',
        amountMicrocredits: microcredits(2_000_000),
        note,
      }),
    )
    const { rows } = await app.app
      .get<Pool>(POOL)
      .query<{ operation_id: string }>(
        'select operation_id from events where stream_id = $1 and revision = 0',
        [accountStream(user.id)],
      )
    await bus.execute(
      new ReverseCredits(user.id, {
        operationId: 'disputed',
        grantId: rows[0]?.operation_id ?? '',
        amountMicrocredits: microcredits(5_000_000),
        note,
      }),
    )
    await bus.execute(
      new GrantCredits(user.id, {
        operationId: 'settles a part',
        operationType: 'grant',
        amountMicrocredits: microcredits(500_000),
        note,
      }),
    )
    // On four days at noon, so that a period can be drawn between them.
    await app.app
      .get<Pool>(POOL)
      .query(
        `update events set recorded_at = timestamptz '2026-03-01 12:00Z' + revision * interval '1 day' where stream_id = $1`,
        [accountStream(user.id)],
      )
  })

  afterAll(() => app.close())

  const ask = (query: string) => app.call('GET', `/credits/statement?${query}`, { token: user.token })

  it('opens with the balance before its period and closes with the one behind it', async () => {
    expect(await ask('from=2026-03-02&to=2026-03-03')).toMatchObject({
      status: 200,
      body: {
        from: '2026-03-02T00:00:00.000Z',
        to: '2026-03-03T00:00:00.000Z',
        opening_balance: 5,
        opening_owed: 0,
        lines: [
          { operation_id: 'spent', transaction_type: 'deduct', amount: -2, balance_after: 3, owed_after: 0 },
        ],
        closing_balance: 3,
        closing_owed: 0,
      },
    })
  })

  it('takes its first instant in and leaves its last out', async () => {
    const { body: within } = await ask('from=2026-03-02T12:00:00Z&to=2026-03-03T12:00:00Z')
    expect(within.lines).toHaveLength(1)
    const { body: none } = await ask('from=2026-03-02T12:00:00.001Z&to=2026-03-03T12:00:00Z')
    expect(none).toMatchObject({ opening_balance: 3, lines: [], closing_balance: 3 })
  })

  it('tells what a reversal could not take as owed, and never a balance below zero', async () => {
    const { body } = await ask('from=2026-01-01&to=2026-12-31')
    expect(body).toMatchObject({ opening_balance: 0, closing_balance: 0 })
    expect(body.lines).toMatchObject([
      { amount: 5, balance_after: 5, owed_after: 0 },
      { amount: -2, balance_after: 3, owed_after: 0 },
      { operation_type: 'reversal', amount: -5, balance_after: 0, owed_after: 2 },
      { operation_type: 'grant', amount: 0.5, balance_after: 0, owed_after: 1.5 },
    ])
  })

  // Seen red with nothing said of what was owed, and with the closing one taken for the opening one.
  it.each([
    ['before anything', '2026-02-01', '2026-03-01', [0, 0, 0, 0]],
    ['that ends with something owed', '2026-03-02', '2026-03-04', [5, 0, 0, 2]],
    ['that opens with something owed', '2026-03-04', '2026-03-05', [0, 2, 0, 1.5]],
    ['of a moment at which something was owed', '2026-03-04', '2026-03-04', [0, 2, 0, 2]],
    ['of everything', '2026-01-01', '2026-12-31', [0, 0, 0, 1.5]],
  ])('adds up over a period %s', async (_, from, to, edges) => {
    const body = (await ask(`from=${from}&to=${to}`)).body as Statement
    const { opening_balance, opening_owed, closing_balance, closing_owed } = body
    expect([opening_balance, opening_owed, closing_balance, closing_owed]).toEqual(edges)
    const moved = body.lines.reduce((sum, { amount }) => sum + amount, 0)
    expect(opening_balance - opening_owed + moved).toBeCloseTo(closing_balance - closing_owed, 6)
  })

  it('is of an account whose balance call says what is owed, and of another’s does not', async () => {
    const balance = async (token: string) => (await app.call('GET', '/credits/balance', { token })).body
    expect(await balance(user.token)).toEqual({ balance: 0, owed: 1.5 })
    expect(await balance((await app.signUp()).token)).toEqual({ balance: 0 })
  })

  it('comes as a file for spreadsheets', async () => {
    const { status, body, headers } = await ask('from=2026-03-02&to=2026-03-03&format=csv')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    expect(headers.get('content-disposition')).toContain('statement.csv')
    expect(String(body).split('\r\n')).toHaveLength(5)
  })

  it.each(['from=yesterday&to=2026-03-03', 'from=2026-03-02', 'from=2026-03-02&to=2026-03-03&format=pdf'])(
    'refuses ?%s',
    async (query) => {
      expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    },
  )

  const refused = (detail: string) => ({ status: 400, body: { code: 'invalid_input', detail } })

  // Seen red with periods of any order, and with their ends compared as words.
  it.each([
    ['2026-03-05', '2026-01-01'],
    ['2026-03-02T12:00:00.001Z', '2026-03-02T12:00:00Z'],
    ['2026-03-02T00:00:00Z', '2026-03-02T01:00:00+10:00'],
  ])('refuses a period from %s to %s', async (from, to) => {
    expect(await ask(new URLSearchParams({ from, to }).toString())).toMatchObject(
      refused('A period cannot end before it begins'),
    )
  })

  it('takes a period of one moment, however its ends write it', async () => {
    const period = { from: '2026-03-02T23:00:00+10:00', to: '2026-03-02T13:00:00Z' }
    expect(await ask(new URLSearchParams(period).toString())).toMatchObject({
      status: 200,
      body: { opening_balance: 3, lines: [], closing_balance: 3 },
    })
  })

  // Seen red with every year: the answer, which repeats its period in UTC, then was 500.
  it.each([
    ['0000-01-01T00:00:00+10:00', '2026-03-03'],
    ['2026-03-02', '9999-12-31T23:59:59-10:00'],
  ])('refuses a period from %s to %s, for UTC has no such year of four digits', async (from, to) => {
    expect(await ask(new URLSearchParams({ from, to }).toString())).toMatchObject(
      refused('This lies outside the years 0000 to 9999 in UTC'),
    )
  })

  it('takes the first and the last instant that UTC writes with four digits', async () => {
    expect(await ask('from=0000-01-01&to=9999-12-31T23:59:59.999Z')).toMatchObject({
      status: 200,
      body: { from: '0000-01-01T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z' },
    })
  })

  it('is nobody else’s', async () => {
    const stranger = await app.signUp()
    const { body } = await app.call('GET', '/credits/statement?from=2026-01-01&to=2026-12-31', {
      token: stranger.token,
    })
    expect(body).toMatchObject({ lines: [], closing_balance: 0 })
  })
})
