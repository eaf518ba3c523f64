import type { ClientBase } from 'pg'
import type { EventStore, PositionedEvent } from '../event-store/event-store.ts'
import { batchSize, eventsBehind, type Projection } from './projection.ts'

/**
 * Applies every event up to the position `upTo`, from the first one on, in the transaction of `client`; without it all
 * that there are. Answers the position of the last one.
 */
export async function replay(
  client: ClientBase,
  projection: Projection,
  events: EventStore,
  upTo = Number.POSITIVE_INFINITY,
): Promise<number> {
  let position = 0
  let reading: Promise<PositionedEvent[]> | undefined = events.readAll(position, batchSize)
  while (reading) {
    const delivered: PositionedEvent[] = await reading
    const batch = eventsBehind(position, delivered).filter((event) => event.position <= upTo)
    const last = batch.at(-1)
    if (!last) break
    position = last.position
    const isWhole = delivered.length >= batchSize && position < upTo
    reading = isWhole ? events.readAll(position, batchSize) : undefined
    // Waited for above; the batch before it may throw first.
    reading?.catch(() => undefined)
    await projection.apply(client, batch)
  }
  return position
}
