import type { EventStore, PositionedEvent } from '../event-store/event-store.ts'
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
  let oldest: PositionedEvent | undefined
  let eventsBehind = 0
  for (let from = position; eventsBehind < countUpTo;) {
    const limit = Math.min(pageSize, countUpTo - eventsBehind)
    const page = await events.readAll(from, limit)
    oldest ??= page[0]
    eventsBehind += page.length
    const last = page.at(-1)
    if (!last || page.length < limit) break
    from = last.position
  }
  const secondsBehind = oldest ? Math.max(0, (Date.now() - oldest.recordedAt.getTime()) / 1000) : 0
  return { position, eventsBehind, secondsBehind }
}
