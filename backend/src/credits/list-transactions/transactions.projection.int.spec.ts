import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabase, testConfig } from '../../../test/app.ts'
import type { PositionedEvent } from '../../platform/event-store/event-store.ts'
import { PostgresEventStore } from '../../platform/event-store/postgres-event-store.ts'
import { createLogger } from '../../platform/logging/logger.ts'
import { createPool, type Pool } from '../../platform/postgres/postgres.module.ts'
import type { Projection } from '../../platform/projections/projection.ts'
import { progressOf } from '../../platform/projections/progress.ts'
import { Projector } from '../../platform/projections/projector.ts'
import { rebuild } from '../../platform/projections/rebuild.ts'
import { verify } from '../../platform/projections/verify.ts'
import { microcredits } from '../domain/amounts.ts'
import { accountStream, Ledger } from '../ledger.ts'
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

  const progress = () => progressOf(transactionsProjection, store, pool)
  const verified = () => verify(transactionsProjection, store, pool)

  const grant = (user: string, amount: number) =>
    ledger.execute(user, {
      type: 'grant',
      operationType: 'grant',
      operationId: randomUUID(),
      amountMicrocredits: microcredits(amount),
      note,
    })

  // Seen red with the rows committed before the checkpoint.
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

  // Seen red with the note as it came.
  it('charges for an episode whose title holds what PostgreSQL cannot', async () => {
    const user = randomUUID()
    await grant(user, 1000)
    const answer = await ledger.execute(user, {
      type: 'deduct',
      operationId: randomUUID(),
      amountMicrocredits: microcredits(10),
      operationType: 'transcription',
      note: { description: 'a\0b', episodeTitle: '\ud83dc' },
    })
    expect(answer).toMatchObject({ accepted: true })
    await projector().projectBatch()
    const { rows } = await pool.query(
      'select description, metadata from credit_transactions where revision = 1',
    )
    expect(rows).toEqual([{ description: 'ab', metadata: { episode_title: '\ufffdc' } }])
  })

  // Seen red, each in turn, with `full join` made a left and a right one, and with all but a table’s first value column left out.
  it('names a value that differs, a row that is missing and one that has no event', async () => {
    const [user, other, nobody] = [randomUUID(), randomUUID(), randomUUID()]
    for (let turn = 0; turn < 3; turn += 1) await Promise.all([grant(user, 1000), grant(other, 500)])
    expect(await progress()).toMatchObject({ position: 0, eventsBehind: 6 })
    await projector().projectBatch()
    expect(await progress()).toEqual({ position: 6, eventsBehind: 0, secondsBehind: 0 })
    expect(await verified()).toEqual({ position: 6, rows: 8, differences: [], differenceCount: 0 })

    // Behind what was taken in: not a difference.
    await grant(other, 1)
    await pool.query(
      'update credit_transactions set amount_microcredits = 7 where account_id = $1 and revision = 0',
      [user],
    )
    await pool.query('delete from credit_transactions where account_id = $1 and revision = 1', [user])
    await pool.query(
      'update credit_accounts set balance_microcredits = 3, owed_microcredits = 4 where account_id = $1',
      [user],
    )
    await pool.query('insert into credit_accounts values ($1, 0, 0, 0)', [nobody])
    const { differences, differenceCount } = await verified()
    expect(differenceCount).toBe(5)
    expect(differences).toEqual(
      expect.arrayContaining([
        {
          table: 'credit_transactions',
          key: { account_id: user, revision: '0' },
          kind: 'value differs',
          column: 'amount_microcredits',
          is: '7',
          shouldBe: '1000',
        },
        { table: 'credit_transactions', key: { account_id: user, revision: '1' }, kind: 'row is missing' },
        ...[
          ['balance_microcredits', '3', '3000'],
          ['owed_microcredits', '4', '0'],
        ].map(([column, is, shouldBe]) => ({
          table: 'credit_accounts',
          key: { account_id: user },
          kind: 'value differs',
          column,
          is,
          shouldBe,
        })),
        { table: 'credit_accounts', key: { account_id: nobody }, kind: 'row has no event' },
      ]),
    )

    await rebuild(transactionsProjection, store, pool)
    expect(await verified()).toEqual({ position: 7, rows: 9, differences: [], differenceCount: 0 })
  })

  // Seen red with the deletion committed before the new rows, and with the checkpoint not locked.
  it('is made anew while events come in and people read: they see the old lines until the new ones are whole', async () => {
    const following = projector()
    following.start()
    const users = Array.from({ length: 20 }, () => randomUUID())
    const enough = new AbortController()
    const writing = users.map(async (user) => {
      while (!enough.signal.aborted) await grant(user, 1)
    })
    const reading = (async () => {
      let seen = 0
      while (!enough.signal.aborted) {
        const { rows } = await pool.query<{ lines: number }>(
          'select count(*) as lines from credit_transactions',
        )
        expect(rows[0]?.lines).toBeGreaterThanOrEqual(seen)
        seen = rows[0]?.lines ?? 0
      }
      return seen
    })()
    try {
      for (let turn = 0; turn < 5; turn += 1) {
        await vi.waitFor(async () => expect((await progress()).position).toBeGreaterThan(200 * turn), 10_000)
        await rebuild(transactionsProjection, store, pool)
        // While it goes on: what verify looks at stands still.
        expect((await verified()).differences).toEqual([])
        expect(following.failure).toBeUndefined()
      }
    } finally {
      enough.abort()
      await Promise.all(writing)
    }
    await vi.waitFor(async () => expect(await progress()).toMatchObject({ eventsBehind: 0 }), 10_000)
    await following.stop()
    const { rows, differences } = await verified()
    expect(differences).toEqual([])
    expect(rows).toBeGreaterThanOrEqual(await reading)
    expect(rows).toBeGreaterThan(1000)
  })

  it('keeps the old lines where a rebuild ends before it is whole', async () => {
    for (let turn = 0; turn < 3; turn += 1) await grant(randomUUID(), 1000)
    await projector().projectBatch()
    const interrupted: Projection = {
      ...transactionsProjection,
      async apply(client, pages) {
        await transactionsProjection.apply(client, firstOfEach(pages))
        throw new Error('the process died here')
      },
    }
    await expect(rebuild(interrupted, store, pool)).rejects.toThrow('the process died here')
    expect(await verified()).toMatchObject({ position: 3, rows: 6, differences: [] })
  })

  // Seen red with an event that cannot be read left out.
  it('stops at a damaged event, says which it is, and goes on once it is whole', async () => {
    const [before, damaged, behind] = [randomUUID(), randomUUID(), randomUUID()]
    await grant(before, 1)
    await projector().projectBatch()
    for (const user of [damaged, behind]) await grant(user, 1)
    const set = (amount: string) =>
      pool.query(
        `update events set data = jsonb_set(data::jsonb, '{amountMicrocredits}', $1) where stream_id = $2`,
        [amount, accountStream(damaged)],
      )
    await set('-1')
    const following = projector()
    following.start()
    await vi.waitFor(() => expect(following.failure).toBeDefined())
    await following.stop()
    expect(following.failure).toContain(
      `Event ${accountStream(damaged)} #0 (CreditsGranted v2) cannot be read: amountMicrocredits: `,
    )
    expect(await progress()).toMatchObject({ position: 1, eventsBehind: 2 })
    await expect(rebuild(transactionsProjection, store, pool)).rejects.toThrow('cannot be read')
    await set('1')
    await projector().projectBatch()
    expect(await verified()).toMatchObject({ position: 3, rows: 6, differences: [] })
  })

  // Seen red, each in turn, without the look at the batch, at the rows before it, at revisions and at balances.
  it.each([
    { what: 'its amount', change: `data = jsonb_set(data::jsonb, '{amountMicrocredits}', '7')` },
    { what: 'its balance', change: `data = jsonb_set(data::jsonb, '{balanceAfterMicrocredits}', '999')` },
    { what: 'its revision', change: 'revision = revision + 10' },
  ])('stops at an event that does not follow: $what could be right, and is not', async ({ change }) => {
    const user = randomUUID()
    for (const amount of [1, 2, 3]) await grant(user, amount)
    await pool.query(`create table whole as select * from events`)
    const damage = (position: number) =>
      pool.query(`update events set ${change} where position = $1`, [position])
    const mend = async () => {
      await pool.query('delete from events')
      await pool.query('insert into events select * from whole')
    }
    const stops =
      /Event creditAccount-\S+ #\d+ follows from -?\d+ millionths behind #-?\d+, but there are \d+ /

    // An account's first event, one in the middle of a batch, its last, and the first of the next.
    for (const damaged of [1, 2, 3]) {
      await damage(damaged)
      await expect(projector().projectBatch()).rejects.toThrow(stops)
      await mend()
    }
    await projector().projectBatch()
    await grant(user, 4)
    await damage(4)
    await expect(projector().projectBatch()).rejects.toThrow(stops)
    // What is damaged later is found by who looks.
    await mend()
    await damage(2)
    await expect(verified()).rejects.toThrow(stops)
    await mend()
    expect(await verified()).toMatchObject({ position: 3, rows: 4, differences: [] })
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

async function* firstOfEach(pages: AsyncIterable<readonly PositionedEvent[]>) {
  for await (const events of pages) yield events.slice(0, 1)
}
