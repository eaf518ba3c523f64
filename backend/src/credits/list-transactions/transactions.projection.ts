import type { EventStore } from '../../platform/event-store/event-store.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Database } from '../../platform/postgres/postgres.module.ts'
import type { Projection } from '../../platform/projections/projection.ts'
import { readCreditEvent } from '../credit-event.schema.ts'
import { accountStream } from '../ledger.ts'
import { toTransaction, type TransactionRow } from './transaction-row.ts'

const catchUpMs = 3000
const askAgainMs = 5

/** The lines of the credit history, and how far each account's lines are. */
export const transactionsProjection: Projection = {
  name: 'credit_transactions',
  tables: ['credit_transactions', 'credit_accounts'],

  async apply(client, events) {
    const prefix = accountStream('')
    const transactions: TransactionRow[] = []
    /** Each account as its last event leaves it. */
    const accounts = new Map<string, AccountRow>()
    for (const recorded of events) {
      if (!recorded.streamId.startsWith(prefix)) continue
      const accountId = recorded.streamId.slice(prefix.length)
      const event = readCreditEvent(recorded)
      const transaction = toTransaction(recorded, accountId, event)
      if (transaction) transactions.push(transaction)
      accounts.set(accountId, {
        account_id: accountId,
        revision: recorded.revision,
        balance_microcredits: event.balanceAfterMicrocredits,
        owed_microcredits: event.owedAfterMicrocredits,
      })
    }
    if (accounts.size === 0) return
    await client.query({
      name: 'project-transactions',
      text: writeRows,
      values: [JSON.stringify(transactions), JSON.stringify([...accounts.values()])],
    })
  },
}

type AccountRow = {
  account_id: string
  revision: number
  balance_microcredits: number
  owed_microcredits: number
}

/**
 * Waits until the history of `userId` holds all that the account's stream did when this was asked; what is written
 * after that need not be in the answer. @throws ProblemError where it takes too long.
 */
export async function caughtUp(events: EventStore, database: Database, userId: string): Promise<void> {
  const head = await events.readHead(accountStream(userId))
  if (!head) return
  const deadline = performance.now() + catchUpMs
  for (;;) {
    const account = await database
      .selectFrom('credit_accounts')
      .select('revision')
      .where('account_id', '=', userId)
      .executeTakeFirst()
    if (account && account.revision >= head.revision) return
    if (performance.now() >= deadline) break
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
  }
  throw problem(
    'temporarily_unavailable',
    'The credit history is being brought up to date. Please try again shortly.',
  )
}

const writeRows = `
  with lines as (
    insert into credit_transactions (account_id, revision, event_id, operation_id, transaction_type, operation_type,
      amount_microcredits, balance_after_microcredits, description, metadata, created_at, refers_to)
    select account_id, revision, event_id, operation_id, transaction_type, operation_type, amount_microcredits,
           balance_after_microcredits, description, metadata, created_at, refers_to
    from jsonb_to_recordset($1) as row(
      account_id uuid, revision bigint, event_id uuid, operation_id text, transaction_type text, operation_type text,
      amount_microcredits bigint, balance_after_microcredits bigint, description text, metadata jsonb,
      created_at timestamptz, refers_to text
    )
  )
  insert into credit_accounts (account_id, revision, balance_microcredits, owed_microcredits)
  select account_id, revision, balance_microcredits, owed_microcredits
  from jsonb_to_recordset($2) as row(
    account_id uuid, revision bigint, balance_microcredits bigint, owed_microcredits bigint
  )
  on conflict (account_id) do update set (revision, balance_microcredits, owed_microcredits) =
    (excluded.revision, excluded.balance_microcredits, excluded.owed_microcredits)`
