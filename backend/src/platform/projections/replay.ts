import type { ClientBase } from 'pg'
import type { EventStore } from '../event-store/event-store.ts'
import { type Batch, EventReader } from './event-reader.ts'
import type { Projection } from './projection.ts'

/**
 * Applies every event up to the position `upTo`, from the first one on, in the transaction of `client`; without it all
 * that there are. Answers the position of the last one.
 */
export async function replay(
  client: ClientBase,
  projection: Projection,
  events: EventStore,
  upTo?: number,
): Promise<number> {
  const reader = new EventReader(events, upTo)
  let batch: Pick<Batch, 'position' | 'mayHaveMore'> = { position: 0, mayHaveMore: true }
  while (batch.mayHaveMore) {
    const next = reader.batchBehind(batch.position)
    await projection.apply(client, next.pages)
    batch = next
  }
  return batch.position
}
