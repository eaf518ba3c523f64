import { randomUUID } from 'node:crypto'
import { CommandBus } from '@nestjs/cqrs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/app.ts'
import { DeductCredits } from './deduct-credits/deduct-credits.handler.ts'
import { microcredits } from './domain/amounts.ts'
import { GrantCredits } from './grant-credits/grant-credits.handler.ts'
import { ReverseCredits } from './reverse-credits/reverse-credits.handler.ts'

const note = { description: 'for a test' }

describe('whether a balance covers a summary', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await startApp()
  })

  afterAll(() => app.close())

  const check = async (token: string) =>
    app.call('POST', '/credits/check-sufficient', { token, body: { operation_type: 'summary' } })

  it.each([
    [0.05, { sufficient: true, required_credits: 0.05, available_credits: 0.05, missing_credits: 0 }],
    [0.02, { sufficient: false, required_credits: 0.05, available_credits: 0.02, missing_credits: 0.03 }],
  ])('of %d credits', async (credits, answer) => {
    const { token } = await app.signUp(credits)
    expect(await check(token)).toMatchObject({ status: 200, body: answer })
  })

  // Seen red with what is owed left out: then 0.05 were missing, and buying them would not have been enough.
  it('counts what is owed as missing, until it was settled', async () => {
    const { id, token } = await app.signUp()
    const bus = app.app.get(CommandBus)
    const grant = (operationId: string, amount: number) =>
      bus.execute(
        new GrantCredits(id, {
          operationId,
          operationType: 'purchase',
          amountMicrocredits: microcredits(amount),
          note,
        }),
      )
    const purchase = randomUUID()
    await grant(purchase, 2_000_000)
    await bus.execute(
      new DeductCredits(id, {
        operationId: randomUUID(),
        operationType: 'summary',
        amountMicrocredits: microcredits(2_000_000),
        note,
      }),
    )
    await bus.execute(
      new ReverseCredits(id, {
        operationId: randomUUID(),
        grantId: purchase,
        amountMicrocredits: microcredits(2_000_000),
        note,
      }),
    )
    expect(await check(token)).toMatchObject({
      status: 200,
      body: { sufficient: false, required_credits: 0.05, available_credits: 0, missing_credits: 2.05 },
    })

    await grant(randomUUID(), 2_050_000)
    expect((await check(token)).body).toMatchObject({ sufficient: true, missing_credits: 0 })
  })
})
