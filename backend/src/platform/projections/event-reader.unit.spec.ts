import { expect, it } from 'vitest'
import type { EventStore, PositionedEvent } from '../event-store/event-store.ts'
import { EventReader, pageSize } from './event-reader.ts'

const pagesPerBatch = 10
/** Each page begins with up to so many events of before its position, and ends with one that it has already. */
const earlierInPage = 5

/** A store that delivers some events again. A page is full where there is more. */
function storeOf(positions: readonly number[]): EventStore {
  return {
    readAll(position: number, limit: number) {
      const next = positions.findIndex((at) => at > position)
      const behind = next < 0 ? positions.length : next
      const earlier = positions.slice(Math.max(0, behind - earlierInPage), behind)
      const page = positions.slice(behind, behind + limit - earlier.length - 1)
      const delivered = [...earlier, ...page, ...page.slice(-2, -1)]
      return Promise.resolve(delivered.map((at) => ({ position: at }) as PositionedEvent))
    },
  } as unknown as EventStore
}

/** As in a store whose positions have gaps. */
const positionsOf = (count: number) => Array.from({ length: count }, (_, index) => 7 * (index + 1))

// Seen red without `eventsBehind`, and with a batch's position taken from what was delivered.
it.each([{ count: 2500 }, { count: 11_000 }])(
  'hands out each of $count events once and in order, though the store delivers some again',
  async ({ count }) => {
    const positions = positionsOf(count)
    const reader = new EventReader(storeOf(positions))
    const seen: number[] = []
    for (let mayHaveMore = true; mayHaveMore;) {
      const position = seen.at(-1) ?? 0
      const batch = reader.batchBehind(position)
      let pages = 0
      for await (const page of batch.pages) {
        seen.push(...page.map((event) => event.position))
        pages += 1
        expect(page.length).toBeGreaterThan(0)
        expect(page.length).toBeLessThanOrEqual(pageSize)
      }
      expect(batch.position).toBe(seen.at(-1))
      mayHaveMore = batch.mayHaveMore
      expect(batch.position).toBeGreaterThan(position)
      expect(pages).toBeLessThanOrEqual(pagesPerBatch)
      if (mayHaveMore) expect(pages).toBe(pagesPerBatch)
    }
    expect(seen).toEqual(positions)
  },
)

// Seen red without `eventsBehind`.
it('stays where it is where the store has nothing but what it delivered before', async () => {
  const positions = positionsOf(20)
  const end = positions.at(-1) ?? 0
  const batch = new EventReader(storeOf(positions)).batchBehind(end)
  for await (const page of batch.pages) expect(page).toEqual([])
  expect(batch).toMatchObject({ position: end, mayHaveMore: false })
})
