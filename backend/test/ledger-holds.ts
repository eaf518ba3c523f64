import { expect } from 'vitest'
import { readCreditEvent } from '../src/credits/credit-event.schema.ts'
import { emptyAccount, evolve, signedAmount } from '../src/credits/domain/account.ts'
import { positionAfter } from '../src/credits/ledger.ts'
import type { EventStore, RecordedEvent } from '../src/platform/event-store/event-store.ts'
import type { Pool } from '../src/platform/postgres/postgres.module.ts'

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

/**
 * The same from the projection's rows alone, as far as they are: what the lines move is what the account's row has less
 * what it owes, and that is what the account's event at the row's revision says.
 */
export async function expectHistoryHolds(store: EventStore, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{
    stream: string
    revision: number
    balance: number
    owed: number
    moved: number
  }>(
    `select 'creditAccount-' || account_id as stream, account.revision, balance_microcredits as balance,
            owed_microcredits as owed, coalesce(sum(case line.transaction_type when 'deduct' then -amount_microcredits
              else amount_microcredits end), 0)::bigint as moved
     from credit_accounts account left join credit_transactions line using (account_id) group by account.account_id`,
  )
  for (const { stream, revision, balance, owed, moved } of rows) {
    expect(moved).toBe(balance - owed)
    const [recorded] = await store.readStream(stream, revision, 1)
    expect(recorded && positionAfter(recorded)).toEqual({
      balanceMicrocredits: balance,
      owedMicrocredits: owed,
    })
  }
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
