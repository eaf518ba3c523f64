import type { ClientBase } from 'pg'
import type { PositionedEvent } from '../event-store/event-store.ts'

/** Tables that are made of events alone: they can be thrown away and made again. */
export type Projection = {
  name: string
  /** Written by this projection and by nothing else; each has a primary key. */
  tables: readonly string[]
  /**
   * Writes what the events of `pages` change, in the transaction of `client`. Each event comes once and in order; those
   * that are none of the projection's business come too.
   * @throws for an event that cannot be read or does not fit: then nothing behind it is taken in.
   */
  apply(client: ClientBase, pages: AsyncIterable<readonly PositionedEvent[]>): Promise<void>
}

/**
 * Locks the checkpoint until the transaction of `client` ends and answers the position of the last event that was
 * taken in; `undefined` where another transaction has the lock.
 */
export async function lockCheckpoint(client: ClientBase, projection: string): Promise<number | undefined> {
  const { rows } = await client.query<{ position: number }>(
    'select position from projection_checkpoints where projection = $1 for update skip locked',
    [projection],
  )
  if (rows[0]) return rows[0].position
  const first = await client.query<{ position: number }>(
    'insert into projection_checkpoints (projection, position) values ($1, 0) on conflict do nothing returning position',
    [projection],
  )
  return first.rows[0]?.position
}

export async function moveCheckpoint(
  client: ClientBase,
  projection: string,
  position: number,
): Promise<void> {
  await client.query('update projection_checkpoints set position = $2 where projection = $1', [
    projection,
    position,
  ])
}
