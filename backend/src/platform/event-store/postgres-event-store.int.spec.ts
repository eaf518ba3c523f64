import { randomInt, randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, testConfig } from '../../../test/app.ts'
import { eventStores, type StoreUnderTest } from '../../../test/event-stores.ts'
import { sequence } from '../../../test/random-numbers.ts'
import { createLogger } from '../logging/logger.ts'
import { migrate, migrationsFolder } from '../postgres/migrate.ts'
import { createPool } from '../postgres/postgres.module.ts'
import { PostgresEventStore } from './postgres-event-store.ts'
import { appendStatement, appendValues, decisionsStatement } from './postgres-statements.ts'
import type { EventStore, NewEvent } from './event-store.ts'

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const logger = createLogger('silent', 'test')

describe(`the events in PostgreSQL (SEED=${seed})`, () => {
  let underTest: StoreUnderTest
  let store: EventStore

  beforeAll(async () => {
    underTest = await eventStores.PostgreSQL()
    store = underTest.open()
  })

  afterAll(() => underTest.close())

  // Seen red with positions from a sequence, and with a counter whose row is not locked.
  it('shows 100,000 events of 32 writers to 4 subscribers: none skipped, none twice, in order', async () => {
    const random = sequence(seed)
    const writers = 32
    const eventsEach = 3125
    let writing = writers
    const subscribers = Array.from({ length: 4 }, async () => {
      const revisions = new Map<string, number>()
      let seen = 0
      for (let isLast = false; !isLast;) {
        isLast = writing === 0
        const events = await store.readAll(seen, 2000)
        for (const event of events) {
          const revision = (revisions.get(event.streamId) ?? -1) + 1
          if (event.position !== seen + 1 || event.revision !== revision)
            expect.fail(
              `event ${event.position} (#${event.revision}) came behind event ${seen} (#${revision - 1})`,
            )
          revisions.set(event.streamId, event.revision)
          seen = event.position
        }
        if (events.length > 0) isLast = false
      }
      return seen
    })
    await Promise.all(
      Array.from({ length: writers }, async () => {
        await writeSlowly(underTest.config.database.url, eventsEach, random)
        writing -= 1
      }),
    )
    expect(await Promise.all(subscribers)).toEqual([100_000, 100_000, 100_000, 100_000])
  })

  // Seen red with a batch that fails as a whole.
  it('appends to the other streams where one has moved on or cannot be stored', async () => {
    const [moved, fresh, poisoned] = [randomUUID(), randomUUID(), randomUUID()]
    await store.append(moved, -1, [event('first')])
    const [one, two, three, four] = await Promise.allSettled([
      store.append(moved, -1, [event('late')]),
      store.append(fresh, -1, [event('a'), event('b')]),
      // Not a text to PostgreSQL.
      store.append(poisoned, -1, [event('\u0000')]),
      store.readForDecision(moved, ['first']),
    ])
    expect(one).toEqual({ status: 'fulfilled', value: 'conflict' })
    expect(two).toEqual({ status: 'fulfilled', value: 'appended' })
    expect(three.status).toBe('rejected')
    expect(four).toMatchObject({ status: 'fulfilled', value: [{ operationId: 'first' }] })
    expect((await store.readStream(fresh)).map(({ operationId }) => operationId)).toEqual(['a', 'b'])
    expect(await store.readStream(poisoned)).toEqual([])
    expect((await store.readStream(moved)).map(({ operationId }) => operationId)).toEqual(['first'])
  })

  // Seen red with answers that are told apart by their places in the statement.
  it('answers decisions that are read and decisions that are appended together, each its own', async () => {
    const [known, fresh, empty] = [randomUUID(), randomUUID(), randomUUID()]
    await store.append(known, -1, [event('first'), { ...event('second'), refersTo: 'first' }, event('third')])
    const [early, found, late, head, repeated, nothing] = await Promise.all([
      store.append(fresh, -1, [event('a')]),
      store.readForDecision(known, ['first']),
      store.append(known, 1, [event('fourth')]),
      store.readForDecision(known, []),
      store.append(known, 2, [event('third')]),
      store.readForDecision(empty, ['a']),
    ])
    expect([early, late, repeated]).toEqual(['appended', 'conflict', 'conflict'])
    expect(found.map(({ operationId }) => operationId)).toEqual(['first', 'second', 'third'])
    expect(head.map(({ operationId }) => operationId)).toEqual(['third'])
    expect(nothing).toEqual([])
    expect(await store.readStream(known)).toHaveLength(3)
  })

  // Seen red with the clock's word alone.
  it('never stamps an event earlier than the one before it, whatever the clock does', async () => {
    const stream = randomUUID()
    await store.append(stream, -1, [event('a')])
    await underTest.pool.query(
      `update events set recorded_at = recorded_at + interval '1 hour' where stream_id = $1`,
      [stream],
    )
    await store.append(stream, 0, [event('b')])
    const [before, after] = await store.readStream(stream)
    expect(after?.recordedAt).toEqual(before?.recordedAt)
  })

  // Seen red with an index that begins with the stream: for some sizes the planner took that of the revisions.
  it('finds an operation by its own index, however many streams there are and however short', async () => {
    const { pool } = underTest
    const client = await pool.connect()
    await client.query('set enable_seqscan = off')
    const asked = JSON.stringify([{ place: 0, stream_id: 'creditAccount-1', operation_ids: ['operation-1'] }])
    const statement = decisionsStatement.replaceAll('$1', `'${asked}'`)
    for (let streams = 0; streams < 12_000; streams += 500) {
      await client.query(
        `insert into events (position, stream_id, revision, event_id, type, schema_version, data, metadata, operation_id)
         select 1000000 + $1 + n, 'creditAccount-' || gen_random_uuid(), 0, gen_random_uuid(), 'Tested', 1, '{}', '{}',
                gen_random_uuid()
         from generate_series(1, 500) n`,
        [streams],
      )
      await client.query('analyze events')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/using events_operation on events/)
      expect(plan).toMatch(/using events_refers_to on events/)
    }
    client.release(true)
  })

  // Seen red with heads that are matched by their place among those found.
  it('answers each reader with the head of its own stream', async () => {
    const streams = Array.from({ length: 5 }, () => randomUUID())
    const [, silent] = streams
    for (const [index, stream] of streams.entries())
      if (stream !== silent)
        await store.append(
          stream,
          -1,
          Array.from({ length: index + 1 }, (_, place) => event(`${place}`)),
        )
    const asked = [...streams, ...streams].reverse()
    const heads = await Promise.all(asked.map((stream) => store.readHead(stream)))
    expect(heads.map((head) => head && [head.streamId, head.revision])).toEqual(
      asked.map((stream) => (stream === silent ? undefined : [stream, streams.indexOf(stream)])),
    )
  })

  // Seen red with appends that take the questions of their round trip with them.
  it('takes no event while the ledger is kept elsewhere, and tells what there is', async () => {
    const stream = randomUUID()
    await store.append(stream, -1, [event('before')])
    for (const elsewhere of ['moving', 'eventstoredb']) {
      await underTest.pool.query('update event_store_position set store = $1', [elsewhere])
      const [append, found] = await Promise.allSettled([
        store.append(randomUUID(), -1, [event('a')]),
        store.readForDecision(stream, ['before']),
      ])
      expect(append).toMatchObject({ status: 'rejected', reason: { name: 'LedgerElsewhereError' } })
      expect(found).toMatchObject({ status: 'fulfilled', value: [{ operationId: 'before' }] })
    }
    await underTest.pool.query(`update event_store_position set store = 'postgres'`)
  })
})

// Seen red with data that becomes a text of JSON.
it('goes on with the events of a database from before events were kept as they came', async () => {
  const earlier = await mkdtemp(path.join(tmpdir(), 'earmark-migrations-'))
  for (const name of await readdir(migrationsFolder))
    if (name < '0010') await copyFile(path.join(migrationsFolder, name), path.join(earlier, name))
  const database = await createDatabase(earlier)
  const config = testConfig({ DATABASE_URL: database.url })
  const pool = createPool(config, logger)
  const stream = randomUUID()
  const data = { note: { description: 'Before “after”\\n' }, amount: 1.5, none: null }
  const item = {
    stream: 0,
    place: 1,
    event_id: randomUUID(),
    type: 'Tested',
    schema_version: 1,
    data,
    metadata: {},
  }
  await pool.query('select append_events($1, $2)', [
    JSON.stringify([{ place: 0, stream_id: stream, expected_revision: -1 }]),
    JSON.stringify([{ ...item, operation_id: 'a' }]),
  ])

  await migrate(pool, migrationsFolder, logger)
  const store = new PostgresEventStore(pool, config, logger)
  expect(await store.append(stream, 0, [event('a')])).toBe('conflict')
  expect(await store.append(stream, 0, [{ ...event('b'), data }])).toBe('appended')
  expect(await store.readAll(0, 10)).toMatchObject([
    { position: 1, revision: 0, operationId: 'a', data },
    { position: 2, revision: 1, operationId: 'b', data },
  ])
  await store.onApplicationShutdown()
  await pool.end()
  await database.drop()
  await rm(earlier, { recursive: true })
})

function event(operationId: string): NewEvent {
  return { eventId: randomUUID(), type: 'Tested', schemaVersion: 1, data: {}, metadata: {}, operationId }
}

/** Appends of 1 to 120 events, each in a transaction that stays open for a random moment before it commits. */
async function writeSlowly(url: string, count: number, random: () => number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const stream = randomUUID()
  for (let written = 0; written < count;) {
    const batch = Math.min(1 + (random() % 120), count - written)
    const events = Array.from({ length: batch }, (_, index) => event(`${written + index}`))
    await sleep(random() % 4)
    await client.query('begin')
    const append = { streamId: stream, expectedRevision: written - 1, events }
    await client.query(appendStatement, appendValues([append]))
    if (random() % 4 === 0) await sleep(random() % 3)
    await client.query('commit')
    written += batch
  }
  await client.end()
}
