import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, testConfig } from '../../test/app.ts'
import { commands, PaperLedger } from '../../test/ledger-model.ts'
import type { Config } from '../platform/config/config.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { createPool, type Pool } from '../platform/postgres/postgres.module.ts'
import { PostgresEventStore } from '../platform/event-store/postgres-event-store.ts'
import { readCreditEvent } from './credit-event.schema.ts'
import { emptyAccount, evolve, signedAmount } from './domain/account.ts'
import { microcredits } from './domain/amounts.ts'
import type { CreditCommand } from './domain/decide.ts'
import { accountStream, Ledger } from './ledger.ts'
import { TransactionsProjection } from './list-transactions/transactions.projection.ts'

const note = { description: 'test' }
const logger = createLogger('silent', 'test')
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

describe(`the ledger on PostgreSQL (SEED=${seed})`, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let pool: Pool
  let store: PostgresEventStore
  /** Two processes on one database: each has a mailbox of its own. */
  let ledgers: [Ledger, Ledger]
  let config: Config

  beforeAll(async () => {
    database = await createDatabase()
    config = testConfig({ DATABASE_URL: database.url })
    pool = createPool(config, logger)
    store = new PostgresEventStore(pool, config, logger)
    ledgers = [new Ledger(store, config), new Ledger(store, config)]
  })

  afterAll(async () => {
    await store.onApplicationShutdown()
    await pool.end()
    await database.drop()
  })

  const grant = (user: string, amount: number) =>
    ledgers[0].execute(user, {
      type: 'grant',
      operationType: 'grant',
      operationId: randomUUID(),
      amountMicrocredits: microcredits(amount),
      note,
    })
  const deduction = (operationId: string, amount: number): CreditCommand => ({
    type: 'deduct',
    operationId,
    amountMicrocredits: microcredits(amount),
    operationType: 'transcription',
    note,
  })

  it('accepts exactly as many of 1,000 concurrent deductions as the balance holds, and refuses the others', async () => {
    const user = randomUUID()
    const price = 1000 + (seed % 977)
    const affordable = 100 + (seed % 300)
    const rest = seed % price
    await grant(user, price * affordable + rest)
    const random = sequence(seed)

    const ids = Array.from({ length: 1000 }, () => randomUUID())
    const answers: boolean[] = []
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
          const answer = await ledgers[random() % 8 === 0 ? 1 : 0].execute(user, deduction(id, price))
          if (!answer.accepted) expect(answer.refusal.code).toBe('insufficient_credits')
          answers.push(answer.accepted)
        }
      }),
    )

    expect(answers).toHaveLength(1000)
    expect(answers.filter(Boolean)).toHaveLength(affordable)
    expect(await ledgers[0].balance(user)).toBe(rest)
    await expectConsistent(user)
  })

  it('makes one event of an operation that comes 100 times at once and again after a restart', async () => {
    const user = randomUUID()
    await grant(user, 10_000)
    const command = deduction('the same', 3000)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => ledgers[index % 2 === 0 ? 0 : 1].execute(user, command)),
    )
    answers.push(await new Ledger(store, config).execute(user, command))

    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1)
    expect(await ledgers[0].balance(user)).toBe(7000)
    expect(await ledgers[1].execute(user, deduction('the same', 3001))).toMatchObject({
      accepted: false,
      refusal: { code: 'operation_conflict' },
    })
    expect(await store.readStream(accountStream(user))).toHaveLength(2)
  })

  it('gives a deduction back once when two full refunds race', async () => {
    const user = randomUUID()
    await grant(user, 1_000_000)
    for (let round = 0; round < 100; round += 1) {
      const deductionId = `deduction ${round}`
      await ledgers[0].execute(user, deduction(deductionId, 500))
      const refund = (operationId: string): CreditCommand => ({
        type: 'refund_rest',
        operationId,
        deductionId,
        note,
      })
      const answers = await Promise.all([
        ledgers[0].execute(user, refund(`a ${round}`)),
        ledgers[1].execute(user, refund(`b ${round}`)),
      ])
      expect(answers.filter((answer) => answer.accepted)).toHaveLength(1)
      expect(answers.find((answer) => !answer.accepted)).toEqual({
        accepted: false,
        refusal: { code: 'already_refunded' },
      })
    }
    expect(await ledgers[0].balance(user)).toBe(1_000_000)
    await expectConsistent(user)
  })

  it('never lands a deduction that was given back before it came', async () => {
    const user = randomUUID()
    await grant(user, 1000)
    const giveBack: CreditCommand = {
      type: 'refund_rest',
      operationId: 'late:give-back',
      deductionId: 'late',
      note,
    }
    expect(await ledgers[0].execute(user, giveBack)).toMatchObject({
      accepted: true,
      receipt: { amountMicrocredits: 0 },
    })
    expect(await ledgers[1].execute(user, deduction('late', 400))).toEqual({
      accepted: false,
      refusal: { code: 'deduction_voided' },
    })
    expect(await ledgers[0].balance(user)).toBe(1000)
  })

  it('takes positions without a gap and in the order in which they become visible', async () => {
    const random = sequence(seed)
    let seen = 0
    let writing = 16
    const follow = (async () => {
      while (writing > 0 || seen < (await lastPosition())) {
        for (const event of await store.readAll(seen, 50)) {
          expect(event.position).toBe(seen + 1)
          seen = event.position
        }
      }
    })()
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        const user = randomUUID()
        for (let turn = 0; turn < 25; turn += 1) await grant(user, 1 + (random() % 1000))
        writing -= 1
      }),
    )
    await follow
    expect(seen).toBeGreaterThanOrEqual(400)
  })

  it('keeps the history and its checkpoint together when the projection is interrupted', async () => {
    const user = randomUUID()
    for (let turn = 0; turn < 20; turn += 1) await grant(user, 1000)
    const projection = new TransactionsProjection(store, failingNow(pool), logger)
    await expect(projection.projectBatch()).rejects.toThrow('the process died here')

    const again = new TransactionsProjection(store, pool, logger)
    await Promise.all([again.projectBatch(), again.projectBatch(), again.projectBatch()])
    while ((await again.projectBatch()) !== 0);
    expect(await again.hasCaughtUp(user, 0)).toBe(true)
    const { rows } = await pool.query(
      'select amount_microcredits from credit_transactions where account_id = $1',
      [user],
    )
    expect(rows).toHaveLength(20)
  })

  it(`answers sequences of commands as a ledger on paper does, though replies are lost (SEED=${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(commands, fc.infiniteStream(fc.boolean()), async (sequence, lost) => {
        const user = randomUUID()
        const paper = new PaperLedger()
        for (const command of sequence) {
          const expected = paper.tell(command)
          // Whoever lost the reply asks again, perhaps another process; the first answer is never seen.
          if (lost.next().value) await ledgers[1].execute(user, command)
          const answer = await ledgers[0].execute(user, command)
          const told = answer.accepted
            ? `accepted ${answer.receipt.amountMicrocredits} ${answer.receipt.balanceAfterMicrocredits}`
            : answer.refusal.code
          expect(told).toBe(expected)
        }
        expect(await ledgers[0].position(user)).toEqual({
          balanceMicrocredits: paper.balance,
          owedMicrocredits: paper.owed,
        })
        await expectConsistent(user)
      }),
      { seed, numRuns: 100 },
    )
  })

  it('previews what a command would answer, and writes nothing', async () => {
    const user = randomUUID()
    await grant(user, 10)
    expect(await ledgers[0].preview(user, deduction('d', 4))).toMatchObject({
      accepted: true,
      receipt: { balanceAfterMicrocredits: 6 },
    })
    expect(await ledgers[0].preview(user, deduction('d', 11))).toMatchObject({ accepted: false })
    expect(await ledgers[0].balance(user)).toBe(10)
  })

  async function lastPosition(): Promise<number> {
    const { rows } = await pool.query<{ position: number }>('select position from event_store_position')
    return rows[0]?.position ?? 0
  }

  /** The whole history folds to what the head tells; no balance was ever below zero, nor something owed beside one. */
  async function expectConsistent(user: string): Promise<void> {
    const events = (await store.readStream(accountStream(user))).map(readCreditEvent)
    let sum = 0
    for (const event of events) {
      sum += signedAmount(event)
      const { balanceAfterMicrocredits: balance, owedAfterMicrocredits: owed } = event
      expect(balance - owed).toBe(sum)
      expect(balance).toBeGreaterThanOrEqual(0)
      expect(Math.min(balance, owed)).toBe(0)
    }
    expect(events.reduce(evolve, emptyAccount).balanceMicrocredits).toBe(await ledgers[0].balance(user))
  }
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
            if (name === 'query') {
              return (text: string, values?: unknown[]) =>
                text.startsWith('update projection_checkpoints')
                  ? Promise.reject(new Error('the process died here'))
                  : inner.query(text, values)
            }
            return typeof value === 'function' ? (value.bind(inner) as unknown) : value
          },
        })
      }
    },
  })
}

/** The same numbers for the same seed. Source: Park and Miller, "Random number generators: good ones are hard to find". */
function sequence(start: number): () => number {
  let state = (start % 2147483646) + 1
  return () => (state = (state * 48271) % 2147483647)
}
