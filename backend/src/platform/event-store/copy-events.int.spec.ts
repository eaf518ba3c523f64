import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { type RunningEventStore, startEventStore } from '@earmark/sandbox/event-store/start-event-store'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabase, testConfig } from '../../../test/app.ts'
import { sequence } from '../../../test/random-numbers.ts'
import { createLogger } from '../logging/logger.ts'
import { createPool, type Pool } from '../postgres/postgres.module.ts'
import type { Projection } from '../projections/projection.ts'
import { Projector } from '../projections/projector.ts'
import { verify } from '../projections/verify.ts'
import { compareEvents } from './compare-events.ts'
import { type CopyTarget, moveLedger, putIntoEventStoreDb, putIntoPostgres } from './copy-events.ts'
import type { NewEvent } from './event-store.ts'
import { checkHome, readHome } from './event-store-home.ts'
import { EventStoreDbEventStore } from './eventstoredb-event-store.ts'
import { operationIndexProjection } from './operation-index.projection.ts'
import { PostgresEventStore } from './postgres-event-store.ts'

const logger = createLogger('silent', 'test')
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const backend = path.resolve(import.meta.dirname, '../../..')

let database: Awaited<ReturnType<typeof createDatabase>>
let sandbox: RunningEventStore
let pool: Pool
let postgres: CopyTarget
let eventstoredb: CopyTarget
let close: () => Promise<void>

beforeEach(async () => {
  database = await createDatabase()
  sandbox = await startEventStore()
  const config = testConfig({ DATABASE_URL: database.url, EVENTSTORE_URL: sandbox.url })
  pool = createPool(config, logger)
  const [inPostgres, inEventStoreDb] = [
    new PostgresEventStore(pool, config, logger),
    new EventStoreDbEventStore(pool, config, logger),
  ]
  postgres = { name: 'postgres', events: inPostgres, put: putIntoPostgres }
  eventstoredb = {
    name: 'eventstoredb',
    events: inEventStoreDb,
    put: (_client, events) => putIntoEventStoreDb(inEventStoreDb, events),
  }
  close = async () => {
    await Promise.all([inPostgres.onApplicationShutdown(), inEventStoreDb.onApplicationShutdown()])
    await pool.end()
    await sandbox.close()
    await database.drop()
  }
})
afterEach(() => close())

function newEvent(operationId: string, more: Partial<NewEvent> = {}): NewEvent {
  return {
    eventId: randomUUID(),
    type: 'CreditsGranted',
    schemaVersion: 1,
    data: { amount: 1, note: { text: 'über ✓', list: [1, 2] } },
    metadata: { requestId: operationId },
    operationId,
    ...more,
  }
}

const newStreams = (count: number) => Array.from({ length: count }, () => `creditAccount-${randomUUID()}`)

async function append({ events }: CopyTarget, streams: string[], from: number, count: number) {
  for (let revision = from; revision < from + count; revision += 1) {
    const about = revision > 0 ? { refersTo: String(revision - 1) } : {}
    for (const stream of streams) {
      expect(await events.append(stream, revision - 1, [newEvent(String(revision), about)])).toBe('appended')
    }
  }
}

/** So many at once as no test could append one after the other. */
async function fillPostgres(streams: number, each: number) {
  await pool.query(
    `insert into events (position, stream_id, revision, event_id, type, schema_version, data, metadata, operation_id, recorded_at)
     select row_number() over (order by revision, number), 'creditAccount-' || md5(number::text)::uuid, revision,
            gen_random_uuid(), 'CreditsGranted', 1,
            jsonb_build_object('operationId', revision::text, 'amountMicrocredits', 5, 'operationType', 'grant',
              'balanceAfterMicrocredits', 5 * (revision + 1), 'note', jsonb_build_object('description', 'über ✓')),
            '{}', revision::text,
            timestamptz '2026-01-01' + revision * interval '1.234567 second'
     from generate_series(1, $1) number, generate_series(0, $2 - 1) revision`,
    [streams, each],
  )
  await pool.query('update event_store_position set position = $1', [streams * each])
}

const move = (from: CopyTarget, to: CopyTarget) =>
  moveLedger({ from, to, pool, projections: [operationIndexProjection], settleMs: 0, say: () => undefined })

it('takes every event to the other store and back, and the ledger’s home with them', async () => {
  const streams = newStreams(10)
  await append(postgres, streams, 0, 20)
  expect(await move(postgres, eventstoredb)).toEqual({ eventCount: 200, differences: [], differenceCount: 0 })
  expect(await readHome(pool)).toBe('eventstoredb')
  const [stream = ''] = streams
  expect(await eventstoredb.events.readStream(stream)).toEqual(await postgres.events.readStream(stream))
  await expect(postgres.events.append(stream, 19, [newEvent('20')])).rejects.toThrow('another event store')

  await append(eventstoredb, [...streams, ...newStreams(1)].slice(0, 10), 20, 5)
  await append(eventstoredb, newStreams(3), 0, 2)
  // An operation of before the move is known after it.
  expect(await eventstoredb.events.append(stream, 24, [newEvent('3')])).toBe('conflict')
  expect(await move(eventstoredb, postgres)).toEqual({ eventCount: 256, differences: [], differenceCount: 0 })
  expect(await readHome(pool)).toBe('postgres')
  await expect(eventstoredb.events.append(stream, 24, [newEvent('25')])).rejects.toThrow(
    'another event store',
  )
  await append(postgres, streams, 25, 1)

  const { rows } = await pool.query<{ position: number }>('select position from events order by position')
  expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 266 }, (_, index) => index + 1))
  expect(await move(postgres, eventstoredb)).toMatchObject({ eventCount: 266, differenceCount: 0 })
})

// Seen red with copies that are put by a hundred: one append takes no more than 1,048,576 bytes.
it('takes an account whose events are large, and many', async () => {
  const [stream = ''] = newStreams(1)
  const text = 'ü'.repeat(50_000)
  for (let revision = 0; revision < 12; revision += 1)
    await postgres.events.append(stream, revision - 1, [newEvent(String(revision), { data: { text } })])
  const many = Array.from({ length: 1500 }, (_, index) => newEvent(String(12 + index)))
  await postgres.events.append(stream, 11, many)
  expect(await move(postgres, eventstoredb)).toEqual({
    eventCount: 1512,
    differences: [],
    differenceCount: 0,
  })
})

it('has nothing to do where the ledger is already', async () => {
  expect(await move(eventstoredb, postgres)).toBeUndefined()
})

it('copies what was written while it copied', async () => {
  const streams = newStreams(3)
  await append(postgres, streams, 0, 10)
  let revision = 10
  const comparison = await moveLedger({
    from: postgres,
    to: {
      ...eventstoredb,
      async put(client, events) {
        if (revision < 14) await append(postgres, streams, revision++, 1)
        await eventstoredb.put(client, events)
      },
    },
    pool,
    projections: [],
    settleMs: 0,
    say: () => undefined,
  })
  expect(comparison).toEqual({ eventCount: 42, differences: [], differenceCount: 0 })
})

it('can be called off by naming the store it came from', async () => {
  await append(postgres, newStreams(3), 0, 10)
  const failing = vi.spyOn(eventstoredb.events, 'readAll').mockRejectedValue(new Error('killed'))
  await expect(move(postgres, eventstoredb)).rejects.toThrow('killed')
  failing.mockRestore()
  expect(await readHome(pool)).toBe('moving')
  await expect(append(postgres, newStreams(1), 0, 1)).rejects.toThrow('another event store')
  expect(await move(eventstoredb, postgres)).toBeUndefined()
  expect(await readHome(pool)).toBe('postgres')
  await append(postgres, newStreams(1), 0, 1)
  expect(await move(postgres, eventstoredb)).toMatchObject({ eventCount: 31, differenceCount: 0 })
})

/** Made anew just before the move ends. */
const lastOf = (apply: Projection['apply']): Projection => ({ name: 'last', tables: [], apply })

// Seen red with the checkpoints left where they were.
it.each([
  { end: 'is called off', calledOff: () => move(postgres, eventstoredb) },
  {
    end: 'finds a difference',
    calledOff: async () => {
      await pool.query(`update events set data = '{}' where revision = 2`)
      await move(eventstoredb, postgres)
    },
  },
])(
  'leaves the projections right when it $end after they were made anew of the other store',
  async ({ calledOff }) => {
    const streams = newStreams(3)
    await append(eventstoredb, streams, 0, 10)
    const dying = lastOf(async () => {
      if ((await readHome(pool)) === 'moving') throw new Error('killed')
    })
    const parts = { from: eventstoredb, to: postgres, pool, settleMs: 0, say: () => undefined }
    await expect(moveLedger({ ...parts, projections: [operationIndexProjection, dying] })).rejects.toThrow(
      'killed',
    )
    await calledOff()
    expect(await readHome(pool)).toBe('eventstoredb')

    await append(eventstoredb, streams, 10, 1)
    const projector = new Projector(operationIndexProjection, { events: eventstoredb.events, pool, logger })
    expect(await projector.projectBatch()).toBe('caught up')
    expect(await verify(operationIndexProjection, eventstoredb.events, pool)).toMatchObject({
      rows: 33,
      differenceCount: 0,
    })
  },
)

// Seen red with projections that are looked at when nobody may write any more, and with a way back through all of them.
it('leaves the ledger open where a projection cannot be made of the events, and can always be called off', async () => {
  const streams = newStreams(3)
  await append(postgres, streams, 0, 10)
  let isDamaged = true
  const stopped = lastOf(() => (isDamaged ? Promise.reject(new Error('damaged')) : Promise.resolve()))
  const parts = { pool, settleMs: 0, say: () => undefined, projections: [operationIndexProjection, stopped] }
  await expect(moveLedger({ ...parts, from: postgres, to: eventstoredb })).rejects.toThrow('damaged')
  expect(await readHome(pool)).toBe('postgres')

  // What comes between the look and the end.
  isDamaged = false
  const compared = vi.spyOn(eventstoredb.events, 'readAll').mockImplementation(() => {
    isDamaged = true
    return Promise.reject(new Error('killed'))
  })
  await expect(moveLedger({ ...parts, from: postgres, to: eventstoredb })).rejects.toThrow('killed')
  compared.mockRestore()
  expect(await readHome(pool)).toBe('moving')
  await expect(moveLedger({ ...parts, from: eventstoredb, to: postgres })).rejects.toThrow('damaged')
  expect(await readHome(pool)).toBe('postgres')
  await append(postgres, streams, 10, 1)
})

// Seen red with the home written whatever it was.
it('does not change the ledger’s home where another command has done so meanwhile', async () => {
  await append(postgres, newStreams(3), 0, 10)
  const endedElsewhere = async (home: string) => {
    await pool.query('update event_store_position set store = $1', [home])
  }
  const parts = { from: postgres, pool, settleMs: 0, say: () => undefined }
  const changed = 'another command has changed meanwhile'

  const to = { ...eventstoredb, put: () => endedElsewhere('eventstoredb') }
  await expect(moveLedger({ ...parts, to, projections: [] })).rejects.toThrow(changed)
  expect(await readHome(pool)).toBe('eventstoredb')

  await endedElsewhere('postgres')
  await pool.query('delete from projection_checkpoints')
  const last = lastOf(() => endedElsewhere('postgres'))
  await expect(moveLedger({ ...parts, to: eventstoredb, projections: [last] })).rejects.toThrow(changed)
  expect(await readHome(pool)).toBe('postgres')
})

it('is told to a process that runs on the store that was left', async () => {
  await checkHome(pool, 'eventstoredb')
  await append(postgres, newStreams(1), 0, 1)
  await checkHome(pool, 'postgres')
  await expect(checkHome(pool, 'eventstoredb')).rejects.toThrow(
    'the ledger is kept in postgres, and this process is configured for eventstoredb',
  )
  await move(postgres, eventstoredb)
  await checkHome(pool, 'eventstoredb')
  await expect(checkHome(pool, 'postgres')).rejects.toThrow('the ledger is kept in eventstoredb')
})

describe('a difference', () => {
  it.each([
    ['its data differs', `update events set data = data::jsonb || '{"amount": 2}'`],
    ['its metadata differs', `update events set metadata = '{}'`],
    ['its recordedAt differs', `update events set recorded_at = recorded_at + interval '1 millisecond'`],
    ['its eventId differs', 'update events set event_id = gen_random_uuid()'],
    ['its operationId differs', `update events set operation_id = 'another'`],
    ['its refersTo differs', 'update events set refers_to = null'],
    ['its type differs', `update events set type = 'CreditsDeducted'`],
    ['its schemaVersion differs', 'update events set schema_version = 2'],
    ['is in eventstoredb only', 'delete from events'],
  ])('is named, whatever it is: %s', async (named, sql) => {
    const [stream = '', ...others] = newStreams(3)
    await append(postgres, [stream, ...others], 0, 5)
    await move(postgres, eventstoredb)
    await pool.query(`${sql} where stream_id = $1 and revision = 3`, [stream])
    const comparison = await compareEvents(postgres, eventstoredb)
    const isMissing = named.startsWith('is in')
    expect(comparison.differences).toEqual([`${stream} #3${isMissing ? '' : ':'} ${named}`])
    expect(comparison.differenceCount).toBe(1)
  })

  it('keeps the ledger where it was', async () => {
    const [stream = ''] = newStreams(1)
    await append(postgres, [stream], 0, 5)
    await move(postgres, eventstoredb)
    await append(eventstoredb, [stream], 5, 1)
    await pool.query(`update events set data = '{}' where revision = 2`)
    expect((await move(eventstoredb, postgres))?.differences).toEqual([`${stream} #2: its data differs`])
    expect(await readHome(pool)).toBe('eventstoredb')
    await append(eventstoredb, [stream], 6, 1)
  })
})

describe(`the command (SEED=${seed})`, () => {
  let folder: string
  const children = new Set<ChildProcess>()

  beforeAll(async () => {
    // Beside the modules that it imports.
    const cache = path.join(backend, '../node_modules/.cache')
    await mkdir(cache, { recursive: true })
    folder = await mkdtemp(path.join(cache, 'event-store-cli-'))
    await build({
      root: backend,
      configFile: false,
      logLevel: 'warn',
      build: {
        ssr: 'src/event-store-cli.ts',
        outDir: folder,
        rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
      },
      ssr: { noExternal: [/^@earmark\//] },
    })
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  function start(...args: string[]) {
    const child = spawn(process.execPath, [path.join(folder, 'event-store-cli.mjs'), ...args], {
      env: {
        ...process.env,
        SECRET_KEY: 'a secret for tests, longer than thirty-two characters',
        DATABASE_URL: database.url,
        EVENTSTORE_URL: sandbox.url,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:1',
        PODCAST_DIRECTORIES: 'itunes',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => output.push(String(text)))
    const ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      text: output.join(''),
    }))
    return { child, ended, output }
  }

  const copiedCount = () =>
    sandbox.control.events().filter(({ streamName }) => !streamName.startsWith('$')).length

  /** Kills the command as soon as `isDue`; answers how many events were copied by then. */
  async function killWhen(isDue: (output: string) => boolean): Promise<number> {
    const { child, ended, output } = start('move', 'eventstoredb')
    await vi.waitFor(() => expect(isDue(output.join(''))).toBe(true), { timeout: 30_000, interval: 1 })
    child.kill('SIGKILL')
    await ended
    return copiedCount()
  }

  // Seen red with how far it is kept before the events are.
  it('goes on where it was, however often it is killed in mid-copy, and doubles nothing', async () => {
    await fillPostgres(40, 200)
    const random = sequence(seed)
    for (let kill = 0; kill < 5; kill += 1) {
      // Somewhere in the next 1,200 events, and further than it was: what is under way is a batch of 1,000 at most.
      const due = Math.max(1200 * kill + 1 + (random() % 1200), copiedCount() + 1)
      expect(await killWhen(() => copiedCount() >= due)).toBeLessThan(8000)
    }
    await killWhen((output) => output.includes('Every event is compared.'))
    expect(await readHome(pool)).toBe('moving')
    const { code, text } = await start('move', 'eventstoredb').ended
    expect(text).toContain('Both stores hold the same 8000 events.')
    expect(code).toBe(0)
    expect(await readHome(pool)).toBe('eventstoredb')
    expect(new Set(sandbox.control.events().map(({ eventId }) => eventId))).toHaveLength(
      sandbox.control.events().length,
    )
    expect(await start('compare').ended).toMatchObject({ code: 0 })

    await pool.query(`update events set data = '{}' where position = 5777`)
    const { rows } = await pool.query<{ name: string }>(
      `select stream_id || ' #' || revision as name from events where position = 5777`,
    )
    expect(await start('compare').ended).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${rows[0]?.name}: its data differs
The stores differ: 1 differences.
`),
    })
  }, 90_000)

  it('says what it can do', async () => {
    expect(await start('move', 'somewhere').ended).toMatchObject({
      code: 1,
      text: expect.stringContaining('Usage:'),
    })
  })
})
