import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Transaction } from '@earmark/contracts/credits'
import { EventStore } from '../../platform/event-store/event-store.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { microcredits, toCredits } from '../domain/amounts.ts'
import { caughtUp } from './transactions.projection.ts'

/** An account's credit history, newest first. What was written before the question is in the answer. */
export class ListTransactions extends Query<{ transactions: Transaction[]; has_more: boolean }> {
  constructor(
    readonly userId: string,
    readonly page: { limit: number; offset: number },
  ) {
    super()
  }
}

@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  constructor(
    private readonly events: EventStore,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute({
    userId,
    page,
  }: ListTransactions): Promise<{ transactions: Transaction[]; has_more: boolean }> {
    await caughtUp(this.events, this.database, userId)
    const rows = await this.database
      .selectFrom('credit_transactions')
      .selectAll()
      .where('account_id', '=', userId)
      .orderBy('revision', 'desc')
      .limit(page.limit + 1)
      .offset(page.offset)
      .execute()
    return {
      has_more: rows.length > page.limit,
      transactions: rows.slice(0, page.limit).map((row) => ({
        id: row.event_id,
        transaction_type: row.transaction_type,
        operation_type: row.operation_type,
        amount: toCredits(microcredits(row.amount_microcredits)),
        balance_after: toCredits(microcredits(row.balance_after_microcredits)),
        description: row.description,
        created_at: row.created_at.toISOString(),
        metadata: row.metadata,
      })),
    }
  }
}
