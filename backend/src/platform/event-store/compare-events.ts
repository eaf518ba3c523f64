import { isDeepStrictEqual } from 'node:util'
import type { EventStore, PositionedEvent, RecordedEvent } from './event-store.ts'

const batchSize = 1000
/** So many differences are told; all are counted. */
const greatestTold = 100

export type NamedStore = { name: 'postgres' | 'eventstoredb'; events: EventStore }

export type Comparison = {
  eventCount: number
  /** One line each. */
  differences: string[]
  /** May be more than are told. */
  differenceCount: number
}

/** Compares every field of every event of both stores but its position, stream by stream, a batch at a time. */
export async function compareEvents(one: NamedStore, other: NamedStore): Promise<Comparison> {
  const comparison: Comparison = { eventCount: 0, differences: [], differenceCount: 0 }
  const tell = (difference: string) => {
    comparison.differenceCount += 1
    if (comparison.differences.length < greatestTold) comparison.differences.push(difference)
  }
  await eachWithCounterpart(one, other, (event, counterpart) => {
    comparison.eventCount += 1
    if (!counterpart) tell(`${nameOf(event)} is in ${one.name} only`)
    else
      for (const field of differingFields(event, counterpart)) tell(`${nameOf(event)}: its ${field} differs`)
  })
  await eachWithCounterpart(other, one, (event, counterpart) => {
    if (!counterpart) tell(`${nameOf(event)} is in ${other.name} only`)
  })
  return comparison
}

/** Events in groups of one stream, each group in the stream's order. */
export function groupByStream(events: readonly PositionedEvent[]): [string, PositionedEvent[]][] {
  return [...Map.groupBy(events, ({ streamId }) => streamId)]
}

async function eachWithCounterpart(
  from: NamedStore,
  to: NamedStore,
  visit: (event: PositionedEvent, counterpart: RecordedEvent | undefined) => void,
) {
  for (let position = 0; ;) {
    const events = await from.events.readAll(position, batchSize)
    const last = events.at(-1)
    if (!last) return
    position = last.position
    const groups = groupByStream(events)
    const counterparts = await Promise.all(
      groups.map(([streamId, group]) => {
        const first = group[0]?.revision ?? 0
        return to.events.readStream(streamId, first, (group.at(-1)?.revision ?? first) - first + 1)
      }),
    )
    for (const [index, [, group]] of groups.entries()) {
      const byRevision = new Map(counterparts[index]?.map((event) => [event.revision, event]))
      for (const event of group) visit(event, byRevision.get(event.revision))
    }
  }
}

function differingFields({ position: _, ...event }: PositionedEvent, counterpart: RecordedEvent): string[] {
  const one: Record<string, unknown> = event
  const other: Record<string, unknown> = counterpart
  const fields = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...fields].filter((field) => !isDeepStrictEqual(one[field], other[field]))
}

function nameOf({ streamId, revision }: RecordedEvent): string {
  return `${streamId} #${revision}`
}
