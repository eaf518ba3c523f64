import type { EventStore, PositionedEvent } from '../event-store/event-store.ts'

/** So many events are read and written at a time. */
export const pageSize = 1000
/** So many pages are a batch: their rows become visible at once. */
const pagesPerBatch = 10

/** What comes behind `position`; once `pages` are read to their end, `position` is that of the last event in them. */
export type Batch = { position: number; mayHaveMore: boolean; pages: AsyncIterable<PositionedEvent[]> }

/** Reads all events in order, up to the position `upTo`: the next page while its caller is busy with the one before. */
export class EventReader {
  #ahead: { position: number; page: Promise<PositionedEvent[]> } | undefined

  constructor(
    private readonly events: EventStore,
    private readonly upTo = Number.POSITIVE_INFINITY,
  ) {}

  batchBehind(position: number): Batch {
    const batch = { position, mayHaveMore: false }
    return Object.assign(batch, { pages: this.#pages(batch) })
  }

  async *#pages(batch: Omit<Batch, 'pages'>): AsyncGenerator<PositionedEvent[]> {
    for (let pages = 0; pages < pagesPerBatch; pages += 1) {
      const { delivered, isFresh } = await this.#read(batch.position)
      const events = eventsBehind(batch.position, delivered).filter(({ position }) => position <= this.upTo)
      const last = events.at(-1)
      batch.position = last?.position ?? batch.position
      // What was read ahead, maybe before the batch began, says nothing of what has come since.
      const isEnd = isFresh && (!last || delivered.length < pageSize)
      batch.mayHaveMore = !isEnd && batch.position < this.upTo
      if (last && batch.mayHaveMore) this.#readAhead(last.position)
      if (last) yield events
      if (!batch.mayHaveMore) return
    }
  }

  #readAhead(position: number) {
    const page = this.events.readAll(position, pageSize)
    // Waited for by the next who reads; before that the caller may throw.
    page.catch(() => undefined)
    this.#ahead = { position, page }
  }

  async #read(position: number): Promise<{ delivered: PositionedEvent[]; isFresh: boolean }> {
    const ahead = this.#ahead
    this.#ahead = undefined
    if (ahead?.position === position) return { delivered: await ahead.page, isFresh: false }
    return { delivered: await this.events.readAll(position, pageSize), isFresh: true }
  }
}

/** Those behind `position`, each once: a store may deliver an event again. */
function eventsBehind(position: number, events: readonly PositionedEvent[]): PositionedEvent[] {
  let last = position
  return events.filter((event) => {
    if (event.position <= last) return false
    last = event.position
    return true
  })
}
