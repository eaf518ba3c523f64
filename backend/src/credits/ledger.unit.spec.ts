import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EventStore } from '../platform/event-store/event-store.ts'
import { microcredits } from './domain/amounts.ts'
import { Ledger } from './ledger.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

// Seen red without the limit: it never settled.
it('tells whoever waits within 15 s that there is no answer, where the store never gives one', async () => {
  const append = vi.fn(() => new Promise<never>(() => undefined))
  const store = { readForDecision: () => Promise.resolve([]), append } as unknown as EventStore
  const ledger = new Ledger(store, { ledger: { mailboxSize: 10, cachedAccounts: 10 } })
  const answer = ledger.execute(randomUUID(), {
    type: 'grant',
    operationType: 'grant',
    operationId: 'g',
    amountMicrocredits: microcredits(1),
    note: { description: 'test' },
  })
  const told = expect(answer).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await vi.waitUntil(() => append.mock.calls.length === 1)
  await vi.advanceTimersByTimeAsync(15_000)
  await told
})
