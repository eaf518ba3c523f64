import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventStores, type StoreUnderTest } from '../../../test/event-stores.ts'
import type { NewEvent } from '../event-store/event-store.ts'
import { createLogger } from '../logging/logger.ts'
import type { Projection } from './projection.ts'
import { Projector } from './projector.ts'
import { replay } from './replay.ts'

let underTest: StoreUnderTest

beforeAll(async () => {
  underTest = await eventStores.PostgreSQL()
})

afterAll(() => underTest.close())

// Seen red with a page that is read ahead from one event too far, and with a batch that forgets its last page.
it('hands every event to a projection once and in order, over many pages and batches', async () => {
  const { pool } = underTest
  const store = underTest.open()
  const event = (operationId: string): NewEvent => ({
    eventId: randomUUID(),
    type: 'Tested',
    schemaVersion: 1,
    data: {},
    metadata: {},
    operationId,
  })
  const events = Array.from({ length: 21_500 }, (_, index) => event(`operation ${index}`))
  for (let start = 0; start < events.length; start += 5000)
    await store.append('a stream', start - 1, events.slice(start, start + 5000))

  let seen: number[] = []
  const collecting: Projection = {
    name: 'collecting',
    tables: [],
    async apply(_client, pages) {
      for await (const page of pages) seen.push(...page.map(({ position }) => position))
    },
  }
  const positionsUpTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

  const projector = new Projector(collecting, { events: store, pool, logger: createLogger('silent', 'test') })
  for (let batch = 0; batch < 2; batch += 1) expect(await projector.projectBatch()).toBe('behind')
  expect(await projector.projectBatch()).toBe('caught up')
  expect(seen).toEqual(positionsUpTo(21_500))
  await store.append('another', -1, [event('one more')])
  expect(await projector.projectBatch()).toBe('caught up')
  expect(seen).toEqual(positionsUpTo(21_501))

  const client = await pool.connect()
  for (const upTo of [undefined, 12_345, 11_000]) {
    seen = []
    expect(await replay(client, collecting, store, upTo)).toBe(upTo ?? 21_501)
    expect(seen).toEqual(positionsUpTo(upTo ?? 21_501))
  }
  client.release()
})
