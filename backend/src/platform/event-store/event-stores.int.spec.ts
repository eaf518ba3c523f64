import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventStores, type StoreUnderTest } from '../../../test/event-stores.ts'
import { waitingOutOutages } from '../unreachable.ts'
import type { EventStore } from './event-store.ts'

/** Who waits for events also comes back when the time is up: here only a ring comes soon enough. */
const longerThanAnyTestMs = 60_000
/**
 * A connection that was lost rings, and so does one that is opened: far fewer times than this. So more appends that each
 * wait for a ring have rung themselves.
 */
const moreThanConnectionsRing = 25
const never = new AbortController().signal

describe.each(Object.entries(eventStores))('who waits for events on %s', (_, openStore) => {
  let underTest: StoreUnderTest
  let waiting: EventStore
  let other: EventStore

  beforeAll(async () => {
    underTest = await openStore()
    waiting = underTest.open()
    other = underTest.open()
  })
  afterAll(() => underTest.close())

  const append = () =>
    other.append(`creditAccount-${randomUUID()}`, -1, [
      {
        eventId: randomUUID(),
        type: 'CreditsGranted',
        schemaVersion: 1,
        data: {},
        metadata: {},
        operationId: randomUUID(),
      },
    ])

  async function expectEachAppendRings() {
    for (let count = 0; count < moreThanConnectionsRing; count += 1) {
      const woken = waiting.waitForEvents(longerThanAnyTestMs, never)
      expect(await waitingOutOutages(never, append)).toBe('appended')
      await woken
    }
  }

  // Seen red without `pg_notify`, with a listener that does not listen, and with a doorbell that no event rings.
  it('is woken by what another process appends', async () => {
    await expectEachAppendRings()
  })

  // Seen red with a listener, and with a subscription, that is not opened again.
  it('is woken after its connection was lost, too', async () => {
    await expectEachAppendRings()
    await underTest.breakConnections()
    await expectEachAppendRings()
  })
})
