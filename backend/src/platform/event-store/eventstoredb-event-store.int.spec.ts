import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { type RunningEventStore, startEventStore } from '@earmark/sandbox/event-store/start-event-store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabase, testConfig } from '../../../test/app.ts'
import { sequence } from '../../../test/random-numbers.ts'
import type { Config } from '../config/config.ts'
import { createLogger } from '../logging/logger.ts'
import { createPool, type Pool } from '../postgres/postgres.module.ts'
import { Projector } from '../projections/projector.ts'
import { isUnreachable } from '../unreachable.ts'
import type { NewEvent } from './event-store.ts'
import { LedgerElsewhereError } from './event-store-home.ts'
import { EventStoreDbEventStore } from './eventstoredb-event-store.ts'
import { operationIndexProjection } from './operation-index.projection.ts'

const logger = createLogger('silent', 'test')
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const realServer = process.env.EVENTSTORE_URL
if (realServer === undefined) console.log('EVENTSTORE_URL is not set: no real EventStoreDB is asked.')
/** Who waits for events also comes back when the time is up: here only a ring comes soon enough. */
const longerThanAnyTestMs = 60_000

let database: Awaited<ReturnType<typeof createDatabase>>
let config: Config
let pool: Pool

beforeAll(async () => {
  database = await createDatabase()
  config = testConfig({ DATABASE_URL: database.url })
  pool = createPool(config, logger)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const storeAt = (url: string) => new EventStoreDbEventStore(pool, { eventStore: { url } }, logger)
const newStream = () => `creditAccount-${randomUUID()}`

function newEvent(operationId: string = randomUUID(), more: Partial<NewEvent> = {}): NewEvent {
  return {
    eventId: randomUUID(),
    type: 'CreditsGranted',
    schemaVersion: 1,
    data: { amount: 1 },
    metadata: { requestId: 'r' },
    operationId,
    ...more,
  }
}

/** Takes everything that is there into the operation index. */
async function fillIndex(store: EventStoreDbEventStore) {
  const projector = new Projector(operationIndexProjection, { events: store, pool, logger })
  while ((await projector.projectBatch()) === 'behind');
}

async function emptyIndex() {
  await pool.query('truncate event_operations')
  await pool.query('delete from projection_checkpoints')
}

describe.each([
  { server: 'the sandbox', url: undefined },
  ...(realServer === undefined ? [] : [{ server: 'a real server', url: realServer }]),
])('the store on $server', ({ url }) => {
  let sandbox: RunningEventStore | undefined
  let store: EventStoreDbEventStore
  let serverUrl: string

  beforeAll(async () => {
    await emptyIndex()
    sandbox = url === undefined ? await startEventStore() : undefined
    serverUrl = url ?? sandbox?.url ?? ''
    store = storeAt(serverUrl)
  })
  afterAll(async () => {
    await store.onApplicationShutdown()
    await sandbox?.close()
  })

  it('keeps everything of an event', async () => {
    const stream = newStream()
    const [one, two] = [newEvent(), newEvent(randomUUID(), { refersTo: 'o', recordedAt: new Date(1234) })]
    expect(await store.append(stream, -1, [one, two])).toBe('appended')
    const events = await store.readStream(stream)
    expect(events).toEqual([
      { ...one, streamId: stream, revision: 0, recordedAt: expect.any(Date) },
      { ...two, streamId: stream, revision: 1 },
    ])
    expect(Math.abs((events[0]?.recordedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(await store.readHead(stream)).toEqual(events[1])
    expect(await store.readStream(stream, 1, 1)).toEqual([events[1]])
    expect(await store.readStream(stream, 2)).toEqual([])
    expect(await store.readStream(stream, 0, 0)).toEqual([])
  })

  it('finds nothing in a stream that is not there', async () => {
    expect(await store.readStream(newStream())).toEqual([])
    expect(await store.readHead(newStream())).toBeUndefined()
    expect(await store.readForDecision(newStream(), ['any'])).toEqual([])
  })

  it('answers a conflict, and writes nothing, where the stream has moved on or is not as far', async () => {
    const stream = newStream()
    expect(await store.append(stream, 0, [newEvent()])).toBe('conflict')
    await store.append(stream, -1, [newEvent(), newEvent()])
    for (const revision of [-1, 0, 2])
      expect(await store.append(stream, revision, [newEvent()])).toBe('conflict')
    expect(await store.readStream(stream)).toHaveLength(2)
  })

  it.each(['before', 'after', 'in between'])(
    'knows an operation for ever, when the index is filled: %s',
    async (when) => {
      const stream = newStream()
      const refund = newEvent('refund', { refersTo: 'deduction' })
      await store.append(stream, -1, [newEvent('grant'), newEvent('deduction')])
      if (when === 'in between') await fillIndex(store)
      await store.append(stream, 1, [refund, newEvent('last')])
      if (when === 'before') await fillIndex(store)

      const revisions = async (...ids: string[]) =>
        (await store.readForDecision(stream, ids)).map(({ revision }) => revision)
      expect(await revisions('deduction')).toEqual([1, 2, 3])
      expect(await revisions('refund')).toEqual([2, 3])
      expect(await revisions('grant', 'last', 'none')).toEqual([0, 3])
      expect(await revisions('none')).toEqual([3])
      for (const operation of ['grant', 'deduction', 'refund', 'last']) {
        expect(await store.append(stream, 3, [newEvent(operation)])).toBe('conflict')
      }
      // What an earlier event refers to is taken as well, even if no event of its own is there.
      expect(await store.append(stream, 3, [newEvent('another', { refersTo: 'unseen' })])).toBe('appended')
      expect(await store.append(stream, 4, [newEvent('unseen')])).toBe('conflict')
      expect(await store.readStream(stream)).toHaveLength(5)
    },
  )

  it('reads a stream and a tail that are longer than a page', async () => {
    const stream = newStream()
    const events = Array.from({ length: 1250 }, (_, index) => newEvent(`o${index}`))
    await store.append(stream, -1, events.slice(0, 700))
    await store.append(stream, 699, events.slice(700))
    expect((await store.readStream(stream)).map(({ eventId }) => eventId)).toEqual(
      events.map(({ eventId }) => eventId),
    )
    expect((await store.readForDecision(stream, ['o3', 'o1100'])).map(({ revision }) => revision)).toEqual([
      3, 1100, 1249,
    ])
    expect(await store.append(stream, 1249, [newEvent('o1001')])).toBe('conflict')
  })

  it('reads all events in order, each once, without what is none of ours, however they are paged', async () => {
    const others = EventStoreDBClient.connectionString(serverUrl)
    const streams = Array.from({ length: 5 }, newStream)
    for (let revision = -1; revision < 11; revision += 1) {
      for (const stream of streams) await store.append(stream, revision, [newEvent()])
      await others.appendToStream(`other-${randomUUID()}`, [jsonEvent({ type: 'Other', data: {} })])
    }
    await others.dispose()
    const all = await store.readAll(0, 1_000_000)
    const ours = all.filter(({ streamId }) => streams.includes(streamId))
    expect(ours.map(({ streamId, revision }) => `${streamId} ${revision}`)).toEqual(
      Array.from({ length: 12 }, (_, revision) => streams.map((stream) => `${stream} ${revision}`)).flat(),
    )
    const paged: typeof all = []
    for (;;) {
      const page = await store.readAll(paged.at(-1)?.position ?? 0, 7)
      paged.push(...page)
      if (page.length === 0) break
      expect(page.length).toBeLessThanOrEqual(7)
    }
    expect(paged).toEqual(all)
    // The end is remembered; what comes behind it is found all the same, also by who is not as far.
    await store.append(streams[0] ?? '', 11, [newEvent('the newest')])
    const last = all.at(-1)?.position ?? 0
    expect((await store.readAll(last, 10)).map(({ operationId }) => operationId)).toEqual(['the newest'])
    expect(await store.readAll(all[0]?.position ?? 0, 1_000_000)).toHaveLength(all.length)
  })

  // Seen red without a ring for an event.
  it('wakes who waits for events', async () => {
    const woken = store.waitForEvents(longerThanAnyTestMs, new AbortController().signal)
    // A new subscription rings too; so the second ring is the event's.
    await woken
    const again = store.waitForEvents(longerThanAnyTestMs, new AbortController().signal)
    await store.append(newStream(), -1, [newEvent()])
    await again
    await store.waitForEvents(1, new AbortController().signal)
    await store.waitForEvents(longerThanAnyTestMs, AbortSignal.abort())
  })

  it('has one winner where many append behind one revision', async () => {
    const stream = newStream()
    for (let revision = -1; revision < 20; revision += 1) {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => store.append(stream, revision, [newEvent()])),
      )
      expect(outcomes.filter((outcome) => outcome === 'appended')).toHaveLength(1)
    }
    expect(await store.readStream(stream)).toHaveLength(21)
  })

  it('refuses to write while the ledger is kept elsewhere', async () => {
    const stream = newStream()
    await store.append(stream, -1, [newEvent()])
    for (const home of ['moving', 'postgres']) {
      await pool.query('update event_store_position set store = $1, position = 1', [home])
      await expect(store.append(stream, 0, [newEvent()])).rejects.toThrow('kept in another event store')
    }
    await pool.query(`update event_store_position set store = 'eventstoredb', position = 0`)
    expect(await store.readStream(stream)).toHaveLength(1)
  })

  it('stops at what it did not write, and where events are missing that were there', async () => {
    const stream = newStream()
    const others = EventStoreDBClient.connectionString(serverUrl)
    await store.append(stream, -1, [newEvent()])
    await others.appendToStream(stream, [jsonEvent({ type: 'CreditsGranted', data: {} })])
    await expect(store.readHead(stream)).rejects.toThrow(`Event ${stream} #1 cannot be read`)
    await others.deleteStream(stream).catch(() => undefined)
    await others.dispose()

    const lost = newStream()
    await pool.query(`insert into event_operations values ($1, 3, 'o', null)`, [lost])
    await expect(store.readForDecision(lost, [])).rejects.toThrow('EventStoreDB has lost events')
  })
})

describe(`the store in trouble (SEED=${seed})`, () => {
  let sandbox: RunningEventStore
  let store: EventStoreDbEventStore

  beforeEach(async () => {
    await emptyIndex()
    sandbox = await startEventStore()
    store = storeAt(sandbox.url)
  })
  afterEach(async () => {
    sandbox.control.thaw()
    await store.onApplicationShutdown()
    await sandbox.close()
  })

  /** Every stored event of ours by its operation, in the order in which the server has them. */
  const stored = () =>
    sandbox.control
      .events()
      .filter(({ streamName }) => streamName.startsWith('creditAccount-'))
      .map(({ streamName, metadata }) => {
        const { operationId } = JSON.parse(Buffer.from(metadata).toString()) as { operationId: string }
        return `${streamName} ${operationId}`
      })

  /** Appends one event after the other to each of so many streams until `signal` aborts; answers what was to be in. */
  async function writeUntil(signal: AbortSignal, writers: number) {
    const wanted: string[] = []
    await Promise.all(
      Array.from({ length: writers }, async () => {
        const stream = newStream()
        for (let number = 0; !signal.aborted; number += 1) {
          wanted.push(`${stream} ${number}`)
          await write(stream, String(number))
        }
      }),
    )
    return wanted
  }

  /** Until it is in: as the ledger does, which reads anew when it is told of a conflict or of nothing. */
  async function write(stream: string, operationId: string) {
    for (;;) {
      try {
        const relevant = await store.readForDecision(stream, [operationId])
        if (relevant.some((event) => event.operationId === operationId)) return
        const outcome = await store.append(stream, relevant.at(-1)?.revision ?? -1, [newEvent(operationId)])
        if (outcome === 'appended') return
      } catch (error) {
        if (!isUnreachable(error)) throw error
      }
    }
  }

  function expectEachOnceInOrder(wanted: string[]) {
    const found = stored()
    expect([...found].sort()).toEqual([...wanted].sort())
    const streams = Map.groupBy(found, (event) => event.split(' ')[0])
    for (const events of streams.values()) {
      expect(events.map((event) => Number(event.split(' ')[1]))).toEqual(events.map((_, index) => index))
    }
  }

  // Seen red with event ids made anew for each try, and with a first try of 3 s.
  it('loses and doubles nothing when the replies to 1,000 appends never come, and settles each within 15 s', async () => {
    sandbox.control.dropReplies(1000)
    const streams = Array.from({ length: 1000 }, newStream)
    const asked = performance.now()
    const outcomes = await Promise.all(
      streams.map((stream) =>
        store.append(stream, -1, [newEvent('0')]).catch((error: unknown) => {
          if (!isUnreachable(error)) throw error
          return write(stream, '0')
        }),
      ),
    )
    // So long a caller may wait.
    expect(performance.now() - asked).toBeLessThan(15_000)
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toEqual([])
    expectEachOnceInOrder(streams.map((stream) => `${stream} 0`))
  })

  // Seen red with an append taken for stored whose connection broke.
  it('survives a server that is killed again and again under 32 writers', async () => {
    const random = sequence(seed)
    const done = new AbortController()
    const writing = writeUntil(done.signal, 32)
    for (let kill = 0; kill < 12; kill += 1) {
      await sleep(100 + (random() % 200))
      sandbox.control.dropReplies(random() % 5)
      await sandbox.control.restart(random() % 150, random() % 100)
      await sleep(random() % 100)
      sandbox.control.killStreams(random() % 2 === 0 ? 'error' : 'end')
    }
    done.abort()
    const wanted = await writing
    expect(wanted.length).toBeGreaterThan(100)
    expectEachOnceInOrder(wanted)
  })

  it('waits for a server that is frozen for a while', async () => {
    const done = new AbortController()
    const writing = writeUntil(done.signal, 16)
    await sleep(50)
    sandbox.control.freeze()
    await sleep(1500)
    sandbox.control.thaw()
    await sleep(50)
    done.abort()
    expectEachOnceInOrder(await writing)
  })

  it('gives up in time on a server that stays frozen, and says that the outcome is unknown', async () => {
    await store.append(newStream(), -1, [newEvent()])
    sandbox.control.freeze()
    const answers = await Promise.all([
      store.readHead(newStream()).catch((error: unknown) => error),
      ...Array.from({ length: 200 }, () =>
        store.append(newStream(), -1, [newEvent()]).catch((error: unknown) => error),
      ),
    ])
    expect(answers.filter((answer) => !isUnreachable(answer))).toEqual([])
  })

  // Seen red without the look at the home after the append, and without the one after the reading.
  it('takes nothing for written that came while the ledger was moved away, neither then nor when it is repeated', async () => {
    await store.append(newStream(), -1, [newEvent()])
    const stream = newStream()
    const late = newEvent('late')
    sandbox.control.freeze()
    const queries = vi.spyOn(pool, 'query')
    const answer = store.append(stream, -1, [late]).catch((error: unknown) => error)
    await vi.waitFor(() => expect(queries).toHaveBeenCalled())
    await queries.mock.results[0]?.value
    queries.mockRestore()
    await pool.query(`update event_store_position set store = 'moving'`)
    sandbox.control.thaw()
    const failure = await answer
    expect(failure).toBeInstanceOf(LedgerElsewhereError)
    expect(isUnreachable(failure)).toBe(true)
    expect(stored()).toContain(`${stream} late`)
    await expect(store.readForDecision(stream, ['late'])).rejects.toThrow(LedgerElsewhereError)

    await pool.query(`update event_store_position set store = 'eventstoredb'`)
    expect(await store.readForDecision(stream, ['late'])).toMatchObject([{ operationId: 'late' }])
  })

  it('is patient with a repeat that the server holds back until its original is indexed', async () => {
    sandbox.control.delayIndex(300)
    sandbox.control.dropReplies(4)
    const streams = Array.from({ length: 4 }, newStream)
    await Promise.all(streams.map((stream) => write(stream, '0')))
    expectEachOnceInOrder(streams.map((stream) => `${stream} 0`))
  })

  it('takes an append for appended whose first answer was lost, also when others have followed it since', async () => {
    const stream = newStream()
    sandbox.control.dropReplies(1)
    const first = store.append(stream, -1, [newEvent('first')])
    await expect.poll(() => stored()).toHaveLength(1)
    expect(await store.append(stream, 0, [newEvent('second')])).toBe('appended')
    expect(await first).toBe('appended')
    expect(stored()).toEqual([`${stream} first`, `${stream} second`])
  })

  it('never puts an event before the one it follows, though the server’s clock goes back', async () => {
    const stream = newStream()
    await store.append(stream, -1, [newEvent(), newEvent()])
    sandbox.control.advanceClock(-3_600_000)
    await store.append(stream, 1, [newEvent()])
    sandbox.control.advanceClock(7_200_000)
    await store.append(stream, 2, [newEvent()])
    const times = (await store.readStream(stream)).map(({ recordedAt }) => recordedAt.getTime())
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect((times[3] ?? 0) - (times[2] ?? 0)).toBeGreaterThan(3_000_000)
  })

  // Seen red without a ring for an event, and with a subscription that is not opened again.
  it('goes on ringing after its subscription was killed, or has merely ended', async () => {
    const never = new AbortController().signal
    await store.waitForEvents(longerThanAnyTestMs, never)
    for (const how of ['error', 'end'] as const) {
      const reopened = store.waitForEvents(longerThanAnyTestMs, never)
      sandbox.control.killStreams(how)
      await reopened
      const woken = store.waitForEvents(longerThanAnyTestMs, never)
      await store.append(newStream(), -1, [newEvent()])
      await woken
    }
  })

  it('fills the index while it is written to, and knows every operation at every moment', async () => {
    const random = sequence(seed)
    const stream = newStream()
    for (let revision = -1; revision < 60; revision += 1) {
      await store.append(stream, revision, [newEvent(String(revision + 1))])
      if (random() % 5 === 0) await fillIndex(store)
      const asked = random() % (revision + 2)
      expect(await store.append(stream, revision + 1, [newEvent(String(asked))])).toBe('conflict')
      const relevant = await store.readForDecision(stream, [String(asked)])
      expect(relevant.map(({ revision: at }) => at)).toEqual([...new Set([asked, revision + 1])])
    }
  })
})
