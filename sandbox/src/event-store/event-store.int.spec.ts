import { randomUUID } from 'node:crypto'
import {
  type AppendExpectedRevision,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  StreamNotFoundError,
  streamNameFilter,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunningEventStore, startEventStore } from './start-event-store.ts'

const credentials = { username: 'anyone', password: 'anything' }
let store: RunningEventStore
let client: EventStoreDBClient
let stream: string

beforeAll(async () => {
  store = await startEventStore()
  client = EventStoreDBClient.connectionString(store.url)
})
afterAll(async () => {
  await client.dispose()
  await store.close()
})
beforeEach(() => {
  stream = `account-${randomUUID()}`
})

const event = (id: string = randomUUID(), data = {}) =>
  jsonEvent({ id, type: 'Happened', data, metadata: { note: 1 } })
const ids = async (name = stream) => (await all(client.readStream(name))).map(({ event }) => event?.id)

function append(
  events: ReturnType<typeof event>[],
  expectedRevision: AppendExpectedRevision,
  deadline = 5000,
) {
  return client.appendToStream(stream, events, { expectedRevision, credentials, deadline })
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

async function first<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const item of source) if (taken.push(item) === count) break
  return taken
}

describe('an append', () => {
  it('is stored behind the expected revision, each event at a place of its own', async () => {
    const [a, b, c] = [event(), event(), event()]
    expect(await append([a, b], 'no_stream')).toMatchObject({ success: true, nextExpectedRevision: 1n })
    expect(await append([c], 1n)).toMatchObject({ success: true, nextExpectedRevision: 2n })
    const read = await all(client.readStream(stream))
    expect(read.map(({ event }) => [event?.id, event?.revision])).toEqual([
      [a.id, 0n],
      [b.id, 1n],
      [c.id, 2n],
    ])
    expect(read[0]?.event).toMatchObject({ type: 'Happened', data: {}, metadata: { note: 1 }, isJson: true })
  })

  it('of nothing succeeds and writes nothing', async () => {
    await append([event()], 'no_stream')
    expect(await append([], 0n)).toMatchObject({ success: true })
    expect(await ids()).toHaveLength(1)
  })

  it('without credentials works as well', async () => {
    expect(await client.appendToStream(stream, [event()], { expectedRevision: 'no_stream' })).toMatchObject({
      success: true,
    })
  })

  it('at a wrong revision is refused with what is there', async () => {
    await expect(append([event()], 3n)).rejects.toMatchObject({
      actualVersion: 'no_stream',
      expectedVersion: 3n,
    })
    await expect(append([event()], 'stream_exists')).rejects.toThrow(WrongExpectedVersionError)
    await append([event()], 'no_stream')
    const refusal = append([event()], 'no_stream')
    await expect(refusal).rejects.toThrow(WrongExpectedVersionError)
    await expect(refusal).rejects.toMatchObject({
      streamName: stream,
      actualVersion: 0n,
      expectedVersion: 'no_stream',
      message: '',
    })
  })

  it('of more than 1,048,576 bytes in all is refused whole', async () => {
    const half = () => event(randomUUID(), { text: 'x'.repeat(524_288) })
    await expect(append([half(), half()], 'no_stream')).rejects.toThrow(MaxAppendSizeExceededError)
    await expect(ids()).rejects.toThrow(StreamNotFoundError)
  })
})

describe('the same append again', () => {
  it.each(['no_stream', 'any', 'stream_exists'] as const)(
    'succeeds with its own revision and no write, also when expecting %s and after later events',
    async (expected) => {
      const [a, b] = [event(), event()]
      await append([a, b], 'no_stream')
      await append([event()], 1n)
      expect(await append([a, b], expected)).toMatchObject({ success: true, nextExpectedRevision: 1n })
      expect(await append([a], expected)).toMatchObject({ success: true, nextExpectedRevision: 0n })
      expect(await ids()).toHaveLength(3)
    },
  )

  it('succeeds with no write behind a revision too', async () => {
    await append([event()], 'no_stream')
    const [a, b] = [event(), event()]
    await append([a, b], 0n)
    expect(await append([a, b], 0n)).toMatchObject({ success: true, nextExpectedRevision: 2n })
    expect(await ids()).toHaveLength(3)
  })

  it('is written a second time where the expected revision is the tip', async () => {
    const a = event()
    await append([a], 'no_stream')
    expect(await append([a], 0n)).toMatchObject({ success: true, nextExpectedRevision: 1n })
    expect(await ids()).toEqual([a.id, a.id])
  })

  it('is refused at another stale revision, and at none', async () => {
    await append([event()], 'no_stream')
    const a = event()
    await append([a], 0n)
    await append([event()], 1n)
    await expect(append([a], 1n)).rejects.toThrow(WrongExpectedVersionError)
    await expect(append([a], 'no_stream')).rejects.toThrow(WrongExpectedVersionError)
  })

  it('is refused where some of its events are new', async () => {
    const a = event()
    await append([a], 'no_stream')
    for (const expected of ['no_stream', 'any', 'stream_exists'] as const) {
      await expect(append([a, event()], expected)).rejects.toThrow(WrongExpectedVersionError)
    }
    await expect(append([event(), a], 'any')).rejects.toThrow(WrongExpectedVersionError)
    expect(await ids()).toHaveLength(1)
  })

  it('with other data succeeds, and the data stays', async () => {
    const id = randomUUID()
    await append([event(id, { n: 1 })], 'no_stream')
    await append([event(id, { n: 2 })], 'no_stream')
    expect((await all(client.readStream(stream))).map(({ event }) => event?.data)).toEqual([{ n: 1 }])
  })

  it('of one id twice within it is written twice', async () => {
    const a = event()
    await append([a, a], 'no_stream')
    expect(await ids()).toEqual([a.id, a.id])
  })

  it('finds its original not indexed yet, gets no answer, and later succeeds', async () => {
    store.control.delayIndex(100)
    const a = event()
    await append([a], 'no_stream')
    await expect(append([a], 'no_stream')).rejects.toThrow(TimeoutError)
    expect(await append([a], 'no_stream')).toMatchObject({ success: true })
    store.control.delayIndex(0)
    expect(await ids()).toHaveLength(1)
  })
})

describe('a read', () => {
  it('of a stream begins at the revision it names, goes either way, and says where there is none', async () => {
    const events = [event(), event(), event(), event()]
    await append(events, 'no_stream')
    const revisions = async (options: Parameters<typeof client.readStream>[1]) =>
      (await all(client.readStream(stream, options))).map(({ event }) => Number(event?.revision))
    expect(await revisions({ fromRevision: 1n, maxCount: 2 })).toEqual([1, 2])
    expect(await revisions({ fromRevision: 2n, direction: 'backwards' })).toEqual([2, 1, 0])
    expect(await revisions({ fromRevision: 'end', direction: 'backwards', maxCount: 1 })).toEqual([3])
    expect(await revisions({ fromRevision: 9n })).toEqual([])
    await expect(revisions({ maxCount: 0 })).rejects.toThrow(UnknownError)
    await expect(all(client.readStream('nobody'))).rejects.toThrow(StreamNotFoundError)
  })

  it('of everything begins at the position it names, in order, among the server’s own events', async () => {
    await append(
      Array.from({ length: 3 }, () => event()),
      'no_stream',
    )
    for (let index = 2; index < 12; index += 1) await append([event()], BigInt(index))
    const read = await all(client.readAll())
    const positions = read.map(({ event }) => Number(event?.position.commit))
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
    expect(positions.every((position, index) => position > index)).toBe(true)
    expect(read.some(({ event }) => event?.streamId.startsWith('$'))).toBe(true)
    const fifth = read[4]?.event?.position
    const rest = await all(client.readAll({ fromPosition: fifth ?? 'start', maxCount: 3 }))
    expect(rest.map(({ event }) => event?.id)).toEqual(read.slice(4, 7).map(({ event }) => event?.id))
  })

  it('shows the time of the server’s clock', async () => {
    store.control.advanceClock(86_400_000)
    await append([event()], 'no_stream')
    store.control.advanceClock(-86_400_000)
    const [recorded] = await all(client.readStream(stream))
    expect((recorded?.event?.created.getTime() ?? 0) - Date.now()).toBeGreaterThan(86_000_000)
  })
})

describe('a subscription', () => {
  it('to a stream begins behind the revision it names and goes on with what comes', async () => {
    await append([event(), event()], 'no_stream')
    const subscription = client.subscribeToStream(stream, { fromRevision: 0n })
    const taken = first(subscription, 2)
    await append([event()], 1n)
    expect((await taken).map(({ event }) => event?.revision)).toEqual([1n, 2n])
  })

  it('to everything takes the streams of a prefix from behind a position, and then what comes', async () => {
    await append([event(), event()], 'no_stream')
    const mine = (await all(client.readAll())).filter(({ event }) => event?.streamId === stream)
    const subscription = client.subscribeToAll({
      fromPosition: mine[0]?.event?.position ?? 'end',
      filter: streamNameFilter({ prefixes: [stream] }),
    })
    const taken = first(subscription, 2)
    await client.appendToStream('another', [event()], { credentials })
    await append([event()], 1n)
    expect((await taken).map(({ event }) => event?.revision)).toEqual([1n, 2n])
  })

  it.each(['error', 'end'] as const)('can be made to stop: %s', async (how) => {
    const subscription = client.subscribeToStream(stream)
    const stopped = all(subscription)
    await new Promise((resolve) => subscription.once('confirmation', resolve))
    store.control.killStreams(how)
    if (how === 'end') expect(await stopped).toEqual([])
    else await expect(stopped).rejects.toThrow(UnavailableError)
  })
})

describe('a server in trouble', () => {
  it('stores what it does not answer', async () => {
    store.control.dropReplies(1)
    const a = event()
    await expect(append([a], 'no_stream', 200)).rejects.toThrow('DEADLINE_EXCEEDED')
    expect(await ids()).toEqual([a.id])
    expect(await append([a], 'no_stream')).toMatchObject({ nextExpectedRevision: 0n })
  })

  it('answers nothing while it is frozen, and goes on when it thaws', async () => {
    store.control.freeze()
    await expect(append([event()], 'any', 200)).rejects.toThrow('DEADLINE_EXCEEDED')
    store.control.thaw()
    expect(await append([event()], 'any')).toMatchObject({ success: true })
  })

  it('comes back from a kill with its data and its port, first not ready', async () => {
    await append([event()], 'no_stream')
    const dying = all(client.subscribeToStream(stream, { fromRevision: 0n }))
    dying.catch(() => undefined)
    const down = store.control.restart(100, 800)
    await expect(dying).rejects.toThrow(UnavailableError)
    await expect(append([event()], 0n)).rejects.toThrow(UnavailableError)
    await down
    await expect(append([event()], 0n)).rejects.toThrow(/Server Is Not Ready/)
    await expect(ids()).rejects.toThrow(TimeoutError)
    await expect.poll(() => ids().catch(() => [])).toHaveLength(1)
  })
})
