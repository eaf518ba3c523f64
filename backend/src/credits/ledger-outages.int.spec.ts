import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@earmark/launcher/postgres'
import { describe, expect, it, vi } from 'vitest'
import { createDatabase, testConfig } from '../../test/app.ts'
import { interruptible } from '../../test/database-outage.ts'
import { expectLedgerHolds } from '../../test/ledger-holds.ts'
import { sequence } from '../../test/random-numbers.ts'
import { PostgresEventStore } from '../platform/event-store/postgres-event-store.ts'
import { createLogger } from '../platform/logging/logger.ts'
import { migrate } from '../platform/postgres/migrate.ts'
import { createPool } from '../platform/postgres/postgres.module.ts'
import { isUnreachable } from '../platform/unreachable.ts'
import { microcredits } from './domain/amounts.ts'
import { Ledger } from './ledger.ts'

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const logger = createLogger('silent', 'test')
const migrations = path.resolve(import.meta.dirname, '../../migrations')
const note = { description: 'test' }

const grant = (ledger: Ledger, user: string, amount: number) =>
  ledger.execute(user, {
    type: 'grant',
    operationType: 'grant',
    operationId: 'all there is',
    amountMicrocredits: microcredits(amount),
    note,
  })
const deduct = (ledger: Ledger, user: string, operationId: string) =>
  ledger.execute(user, {
    type: 'deduct',
    operationType: 'summary',
    operationId,
    amountMicrocredits: microcredits(1),
    note,
  })

describe(`the ledger, where PostgreSQL fails it (SEED=${seed})`, () => {
  // Seen red without the time limit of a reply, and with a lost append sent again as an operation of its own.
  it('settles 1,000 commands while every seventh append loses its reply: none lost, none doubled, each within 15 s', async () => {
    const database = await createDatabase()
    let appends = 0
    let lost = 0
    const way = await interruptible(database.url, (request) => {
      if (!request.includes('append-events')) return false
      appends += 1
      if (appends % 7 !== seed % 7) return false
      lost += 1
      return true
    })
    const config = testConfig({ DATABASE_URL: way.url })
    const pool = createPool(config, logger)
    // As four processes, so that they wait for lost replies side by side.
    const stores = Array.from({ length: 4 }, () => new PostgresEventStore(pool, config, logger))
    const ledgers = stores.map((store) => new Ledger(store, config))
    const everyone = ledgers.flatMap((ledger) =>
      Array.from({ length: 25 }, () => ({ ledger, user: randomUUID() })),
    )
    await Promise.all(
      everyone.map(async ({ ledger, user }) => {
        await grant(ledger, user, 10)
        for (let turn = 0; turn < 9; turn += 1) {
          const asked = performance.now()
          expect(await deduct(ledger, user, `turn ${turn}`)).toMatchObject({ accepted: true })
          expect(performance.now() - asked).toBeLessThan(15_000)
        }
      }),
    )
    // Commands share appends, but nobody's ten share one: each process makes ten or more, all four 40 or more.
    expect(lost).toBeGreaterThanOrEqual(5)
    const [store] = stores as [PostgresEventStore]
    for (const { user } of everyone) expect(await store.readStream(`creditAccount-${user}`)).toHaveLength(10)
    await expectLedgerHolds(store)
    for (const each of stores) await each.onApplicationShutdown()
    await pool.end()
    await way.interrupt()
    await database.drop()
  })

  // Seen red with an append that is sent again by the store as another operation's, and with a lost connection that
  // fails the command.
  it('settles 1,000 appends that each lose their reply and their connection: none lost, none doubled, each within 15 s', async () => {
    const database = await createDatabase()
    let lost = 0
    const way = await interruptible(database.url, (request) => {
      if (!request.includes('append-events')) return false
      lost += 1
      return true
    })
    const config = testConfig({ DATABASE_URL: way.url })
    const pool = createPool(testConfig({ DATABASE_URL: database.url }), logger)
    // As 25 processes, so that no two commands share an append.
    const stores = Array.from({ length: 25 }, () => new PostgresEventStore(pool, config, logger))
    const everyone = stores.map((store) => ({ ledger: new Ledger(store, config), user: randomUUID() }))
    const stored = async () => (await pool.query('select from events')).rowCount
    for (let turn = 0; turn < 40; turn += 1) {
      const asked = performance.now()
      const settled = Promise.all(
        everyone.map(async ({ ledger, user }) => {
          const answer = await (turn === 0 ? grant(ledger, user, 100) : deduct(ledger, user, `turn ${turn}`))
          expect(answer).toMatchObject({ accepted: true })
          expect(performance.now() - asked).toBeLessThan(15_000)
        }),
      )
      await vi.waitFor(async () => expect(await stored()).toBe(25 * (turn + 1)), {
        timeout: 15_000,
        interval: 5,
      })
      await way.interrupt()
      await way.restore()
      await settled
    }
    expect(lost).toBeGreaterThanOrEqual(1000)
    const [store] = stores as [PostgresEventStore]
    for (const { user } of everyone) expect(await store.readStream(`creditAccount-${user}`)).toHaveLength(40)
    await expectLedgerHolds(store)
    for (const each of stores) await each.onApplicationShutdown()
    await pool.end()
    await way.interrupt()
    await database.drop()
  }, 60_000)

  // Seen red with appends that commit asynchronously.
  it('loses and doubles nothing while PostgreSQL is killed with -9 in mid-load', async () => {
    const random = sequence(seed)
    const dataDir = mkdtempSync(path.join(tmpdir(), 'earmark-kill-'))
    let postgres = await startPostgres({ dataDir })
    const config = testConfig({ DATABASE_URL: postgres.url })
    const pool = createPool(config, logger)
    await migrate(pool, migrations, logger)
    const store = new PostgresEventStore(pool, config, logger)
    const ledger = new Ledger(store, config)
    const users = Array.from({ length: 16 }, () => randomUUID())
    await Promise.all(users.map((user) => grant(ledger, user, 1_000_000)))

    let isOver = false
    const acknowledged = new Map<string, Set<string>>(users.map((user) => [user, new Set()]))
    const load = Promise.all(
      Array.from({ length: 48 }, async (_, lane) => {
        for (let turn = 0; !isOver; turn += 1) {
          const user = users[random() % users.length] ?? ''
          const operationId = `${lane}:${turn}`
          await untilAnswered(() => deduct(ledger, user, operationId))
          acknowledged.get(user)?.add(operationId)
        }
      }),
    )
    for (let kill = 0; kill < 3; kill += 1) {
      await sleep(300 + (random() % 400))
      process.kill(postgres.process.pid, 'SIGKILL')
      postgres = await startPostgres({ dataDir, port: Number(new URL(postgres.url).port) })
    }
    await sleep(200)
    isOver = true
    await load

    for (const user of users) {
      const events = await store.readStream(`creditAccount-${user}`)
      const operations = acknowledged.get(user) ?? new Set()
      expect(operations.size).toBeGreaterThan(0)
      expect(new Set(events.slice(1).map(({ operationId }) => operationId))).toEqual(operations)
      expect(await ledger.balance(user)).toBe(1_000_000 - operations.size)
    }
    await expectLedgerHolds(store)
    await store.onApplicationShutdown()
    await pool.end()
    await postgres.stop()
    for (const folder of [dataDir, postgres.clusterFolder]) await rm(folder, { recursive: true, force: true })
  }, 60_000)
})

/** As a workflow does it: the same command again until there is an answer. */
async function untilAnswered(send: () => Promise<{ accepted: boolean }>): Promise<void> {
  for (;;) {
    try {
      expect(await send()).toMatchObject({ accepted: true })
      return
    } catch (error) {
      if (!isUnreachable(error)) throw error
    }
  }
}
