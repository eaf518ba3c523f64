import { expect } from 'vitest'
import { readCreditEvent } from '../src/credits/credit-event.schema.ts'
import { emptyAccount, evolve, signedAmount } from '../src/credits/domain/account.ts'
import { transactionsProjection } from '../src/credits/list-transactions/transactions.projection.ts'
import type { EventStore, RecordedEvent } from '../src/platform/event-store/event-store.ts'
import type { Pool } from '../src/platform/postgres/postgres.module.ts'
import { verify } from '../src/platform/projections/verify.ts'

const pageSize = 5000

/**
 * granted + adjusted - deducted + refunded - reversed = balance - owed, for every account and behind each of its events;
 * no balance below zero, nothing owed beside one, no operation twice, no more given back than was taken.
 */
export async function expectLedgerHolds(store: EventStore): Promise<void> {
  const streams = new Map<string, RecordedEvent[]>()
  for (let position = 0; ;) {
    const page = await store.readAll(position, pageSize)
    for (const event of page) {
      const events = streams.get(event.streamId)
      if (events) events.push(event)
      else streams.set(event.streamId, [event])
    }
    if (page.length < pageSize) break
    position = page.at(-1)?.position ?? position
  }
  for (const events of streams.values()) expectAccountHolds(events)
}

/** The rows of the credit history and of the accounts are what the events make, but for times, which tests move. */
export async function expectHistoryHolds(store: EventStore, pool: Pool): Promise<void> {
  const { differences } = await verify(transactionsProjection, store, pool)
  const told = differences.filter((one) => one.kind !== 'value differs' || one.column !== 'created_at')
  expect(told).toEqual([])
}

export function expectAccountHolds(recorded: readonly RecordedEvent[]): void {
  let sum = 0
  let account = emptyAccount
  recorded.forEach(({ revision }, index) => expect(revision).toBe(index))
  for (const event of recorded.map(readCreditEvent)) {
    expect(account.operations.has(event.operationId)).toBe(false)
    account = evolve(account, event)
    sum += signedAmount(event)
    const { balanceAfterMicrocredits: balance, owedAfterMicrocredits: owed } = event
    expect(balance - owed).toBe(sum)
    expect(balance).toBeGreaterThanOrEqual(0)
    expect(Math.min(balance, owed)).toBe(0)
  }
  for (const deduction of account.deductions.values())
    expect(deduction.refundedMicrocredits).toBeLessThanOrEqual(deduction.amountMicrocredits)
  for (const grant of account.grants.values())
    expect(grant.reversedMicrocredits).toBeLessThanOrEqual(grant.amountMicrocredits)
}
