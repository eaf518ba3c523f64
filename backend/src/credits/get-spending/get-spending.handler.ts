import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import { sql } from 'kysely'
import type { SpendingDay } from '@earmark/contracts/credits'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { microcredits, toCredits } from '../domain/amounts.ts'
import { caughtUp, TransactionsProjection } from '../list-transactions/transactions.projection.ts'

export class GetSpending extends Query<SpendingDay[]> {
  constructor(
    readonly userId: string,
    readonly days: number,
    /** An IANA name, such as Europe/Lisbon: where a day begins. */
    readonly timeZone: string,
  ) {
    super()
  }
}

/** What a person spent: deductions less refunds, day by day. Purchases and an operator's corrections are no spending. */
@QueryHandler(GetSpending)
export class GetSpendingHandler implements IQueryHandler<GetSpending> {
  constructor(
    private readonly projection: TransactionsProjection,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute({ userId, days, timeZone }: GetSpending): Promise<SpendingDay[]> {
    await caughtUp(this.projection, userId)
    const { rows } = await sql<{ date: string; spent: number }>`
      with days as (
        select generate_series(today - ${days - 1}::int, today, interval '1 day')::date as day
        from (select (now() at time zone ${timeZone})::date as today)
      )
      select to_char(days.day, 'YYYY-MM-DD') as date,
             greatest(0, coalesce(sum(case transaction_type
               when 'deduct' then amount_microcredits else -amount_microcredits end), 0))::bigint as spent
      from days
      left join credit_transactions on account_id = ${userId}
        and operation_type in ('transcription', 'summary')
        and created_at >= days.day::timestamp at time zone ${timeZone}
        and created_at < (days.day + 1)::timestamp at time zone ${timeZone}
      group by days.day
      order by days.day`.execute(this.database)
    return rows.map(({ date, spent }) => ({ date, spent: toCredits(microcredits(spent)) }))
  }
}
