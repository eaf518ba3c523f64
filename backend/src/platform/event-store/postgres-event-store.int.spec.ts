import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventStores, type StoreUnderTest } from '../../../test/event-stores.ts'
import { sequence } from '../../../test/random-numbers.ts'
import { appendStatement, appendValues, decisionsStatement } from './postgres-statements.ts'
import type { EventStore, NewEvent } from './event-store.ts'

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

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
    const [one, two, three] = await Promise.allSettled([
      store.append(moved, -1, [event('late')]),
      store.append(fresh, -1, [event('a'), event('b')]),
      // Not a text to PostgreSQL.
      store.append(poisoned, -1, [event('\u0000')]),
    ])
    expect(one).toEqual({ status: 'fulfilled', value: 'conflict' })
    expect(two).toEqual({ status: 'fulfilled', value: 'appended' })
    expect(three.status).toBe('rejected')
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

  it('takes no event while the ledger is kept elsewhere', async () => {
    for (const elsewhere of ['moving', 'eventstoredb']) {
      await underTest.pool.query('update event_store_position set store = $1', [elsewhere])
      await expect(store.append(randomUUID(), -1, [event('a')])).rejects.toThrow(
        'kept in another event store',
      )
    }
    await underTest.pool.query(`update event_store_position set store = 'postgres'`)
  })
})

function event(operationId: string): NewEvent {
  return { eventId: randomUUID(), type: 'Tested', schemaVersion: 1, data: {}, metadata: {}, operationId }
}

/** Appends of 1 to 40 events, each in a transaction that stays open for a random moment before it commits. */
async function writeSlowly(url: string, count: number, random: () => number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const stream = randomUUID()
  for (let written = 0; written < count;) {
    const batch = Math.min(1 + (random() % 40), count - written)
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
