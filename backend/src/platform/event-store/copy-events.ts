import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import type { Pool } from '../postgres/postgres.module.ts'
import { moveCheckpoint, type Projection } from '../projections/projection.ts'
import { rebuild } from '../projections/rebuild.ts'
import { verify } from '../projections/verify.ts'
import { isUnreachable } from '../unreachable.ts'
import { type Comparison, compareEvents, groupByStream, type NamedStore } from './compare-events.ts'
import { HomeChangedError, readHome, writeHome } from './event-store-home.ts'
import type { PositionedEvent } from './event-store.ts'
import type { EventStoreDbEventStore } from './eventstoredb-event-store.ts'
import { eventColumns, eventRecord, toEventRow } from './postgres-event.ts'

const batchSize = 1000
/** One move at a time. */
const moveLock = 7_305_581

/** A store into which events can be copied; in the transaction of `client` where it is of that database. */
export type CopyTarget = NamedStore & {
  put: (client: ClientBase, events: readonly PositionedEvent[]) => Promise<void>
}

export type Move = {
  from: CopyTarget
  to: CopyTarget
  pool: Pool
  /** What is made of the events by whoever runs on the new store: made anew, for positions mean nothing in another store. */
  projections: readonly Projection[]
  /** An append to EventStoreDB that began before nobody might append any longer has ended by then. */
  settleMs: number
  say: (line: string) => void
}

/**
 * Moves the ledger to another store. Most is copied while the product runs; then nobody may append until the rest is
 * copied too, every event is compared, and the ledger's home is the other store. Killed at any moment it goes on
 * where it was when it is called again; called for the store that it left it is called off. Answers how the stores
 * compare, `undefined` where nothing was copied; where they differ the ledger stays where it was.
 */
export async function moveLedger(move: Move): Promise<Comparison | undefined> {
  const lock = await move.pool.connect()
  try {
    await lock.query('select pg_advisory_lock($1)', [moveLock])
    return await moveAlone(move)
  } finally {
    // The lock goes with its connection.
    lock.release(true)
  }
}

async function moveAlone(move: Move) {
  const { from, to, pool, settleMs, say } = move
  const home = await readHome(pool)
  if (home === to.name) {
    say(`The ledger is kept in ${to.name} already.`)
    return undefined
  }
  if (home === 'moving' && (await hasBegun(pool, from))) {
    const callOff = async () => {
      await settle(pool, to, from)
      say(`The unfinished move to ${from.name} is called off: the ledger is kept in ${to.name}.`)
    }
    try {
      await rebuildAll(move, to)
    } catch (error) {
      // A projection that cannot be made anew was not made of the other store either, and must not shut the way back.
      if (!isUnreachable(error)) await callOff()
      throw error
    }
    await callOff()
    return undefined
  }
  await copyEvents(from, to, pool, say)
  // An event that stops a projection is met while the ledger can still be written to.
  for (const projection of move.projections) await verify(projection, from.events, pool)
  say(`Nobody may write to the ledger until it is in ${to.name}.`)
  await writeHome(pool, home, 'moving')
  if (from.name === 'eventstoredb') await sleep(settleMs)
  await copyEvents(from, to, pool, say)

  say('Every event is compared.')
  const comparison = await compareEvents(from, to)
  if (comparison.differenceCount > 0) {
    await rebuildAll(move, from)
    await settle(pool, from, to)
    return comparison
  }
  await rebuildAll(move, to)
  await settle(pool, to, to)
  return comparison
}

/** Also where a move is called off: it may have made them anew of the other store already. */
async function rebuildAll({ projections, pool }: Move, { events }: NamedStore): Promise<void> {
  for (const projection of projections) await rebuild(projection, events, pool)
}

const checkpointOf = ({ name }: NamedStore) => `copy:${name}`

/** Copies what is there until nothing new comes. What was copied and how far that is are kept together. */
async function copyEvents(
  from: NamedStore,
  to: CopyTarget,
  pool: Pool,
  say: (line: string) => void,
): Promise<void> {
  for (let copied = 0; ;) {
    const count = await copyBatch(from, to, pool)
    if (count === 0) return
    copied += count
    say(`${copied} events copied to ${to.name}`)
  }
}

async function copyBatch(from: NamedStore, to: CopyTarget, pool: Pool): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const position = await readCheckpoint(client, checkpointOf(to))
    const events = await from.events.readAll(position, batchSize)
    const last = events.at(-1)
    if (last) {
      await to.put(client, events)
      await moveCheckpoint(client, checkpointOf(to), last.position)
    }
    await client.query('commit')
    return events.length
  } finally {
    // A transaction that has not ended goes with its connection.
    client.release(true)
  }
}

export async function putIntoEventStoreDb(
  store: EventStoreDbEventStore,
  events: readonly PositionedEvent[],
): Promise<void> {
  await Promise.all(groupByStream(events).map(([streamId, group]) => store.putCopies(streamId, group)))
}

/** Positions go on behind the last one, in the order of `events`; those that are there already stay. */
export async function putIntoPostgres(client: ClientBase, events: readonly PositionedEvent[]): Promise<void> {
  const items = events.map((event, place) => ({ place, ...toEventRow(event) }))
  await client.query('select from event_store_position for update')
  await client.query(
    `with missing as (
       select row_number() over (order by place) as number, item.*
       from json_to_recordset($1) as item(place int, ${eventRecord})
       where not exists (select from events where stream_id = item.stream_id and revision = item.revision)
     ), put as (
       insert into events (position, ${eventColumns})
       select (select position from event_store_position) + number, ${eventColumns} from missing
     )
     update event_store_position set position = position + (select count(*) from missing)`,
    [JSON.stringify(items)],
  )
}

async function hasBegun(pool: Pool, to: NamedStore): Promise<boolean> {
  const { rowCount } = await pool.query('select from projection_checkpoints where projection = $1', [
    checkpointOf(to),
  ])
  return rowCount === 1
}

async function readCheckpoint(client: ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ position: number }>(
    `insert into projection_checkpoints values ($1, 0)
     on conflict (projection) do update set projection = excluded.projection returning position`,
    [name],
  )
  return rows[0]?.position ?? 0
}

/** Ends a move to `to`, or calls it off: the ledger's home is `home`. @throws where it was ended meanwhile. */
async function settle(pool: Pool, home: NamedStore, to: NamedStore): Promise<void> {
  const { rowCount } = await pool.query(
    `with settled as (
       update event_store_position set store = $1 where store = 'moving' returning store
     ), ended as (
       delete from projection_checkpoints where projection = $2 and exists (select from settled)
     )
     select from settled`,
    [home.name, checkpointOf(to)],
  )
  if (rowCount !== 1) throw new HomeChangedError()
}
