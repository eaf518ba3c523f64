import type { EventStore } from '../event-store/event-store.ts'
import type { Pool } from '../postgres/postgres.module.ts'
import { pageSize } from './event-reader.ts'
import type { Projection } from './projection.ts'

export type Progress = {
  /** Of the last event that was taken in. */
  position: number
  eventsBehind: number
  /** The age of the oldest event that was not taken in yet. */
  secondsBehind: number
}

/** How far a projection is behind the events; no more than `countUpTo` of them are counted. */
export async function progressOf(
  projection: Projection,
  events: EventStore,
  pool: Pool,
  countUpTo = Number.POSITIVE_INFINITY,
): Promise<Progress> {
  const { rows } = await pool.query<{ position: number }>(
    'select position from projection_checkpoints where projection = $1',
    [projection.name],
  )
  const position = rows[0]?.position ?? 0
  const [oldest, ...others] = await events.readAll(position, Math.min(countUpTo, pageSize))
  if (!oldest) return { position, eventsBehind: 0, secondsBehind: 0 }
  let eventsBehind = 1 + others.length
  let last = others.at(-1) ?? oldest
  while (eventsBehind % pageSize === 0 && eventsBehind < countUpTo) {
    const more = await events.readAll(last.position, pageSize)
    eventsBehind += more.length
    const end = more.at(-1)
    if (!end) break
    last = end
  }
  const secondsBehind = Math.max(0, (Date.now() - oldest.recordedAt.getTime()) / 1000)
  return { position, eventsBehind, secondsBehind }
}
