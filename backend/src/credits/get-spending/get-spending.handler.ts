import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import { sql } from 'kysely'
import type { SpendingDay } from '@earmark/contracts/credits'
import { EventStore } from '../../platform/event-store/event-store.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { microcredits, toCredits } from '../domain/amounts.ts'
import { caughtUp } from '../list-transactions/transactions.projection.ts'

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
    private readonly events: EventStore,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute({ userId, days, timeZone }: GetSpending): Promise<SpendingDay[]> {
    await caughtUp(this.events, this.database, userId)
    const { rows } = await sql<{ date: string; spent: number }>`
      with days as (
        select generate_series(today - ${days - 1}::int, today, interval '1 day')::date as day
        from (select (now() at time zone ${timeZone})::date as today)
      ), moves as (
        -- What came back counts against the day on which it was taken.
        select (coalesce(taken.created_at, line.created_at) at time zone ${timeZone})::date as day,
               case line.transaction_type when 'deduct' then line.amount_microcredits
                 else -line.amount_microcredits end as spent
        from credit_transactions line
        left join credit_transactions taken
          on taken.account_id = line.account_id and taken.operation_id = line.refers_to
        where line.account_id = ${userId} and line.operation_type in ('transcription', 'summary')
          and line.created_at > now() - make_interval(days => ${days + 1}::int)
      )
      select to_char(days.day, 'YYYY-MM-DD') as date, coalesce(sum(moves.spent), 0)::bigint as spent
      from days left join moves on moves.day = days.day
      group by days.day
      order by days.day`.execute(this.database)
    return rows.map(({ date, spent }) => ({ date, spent: toCredits(microcredits(spent)) }))
  }
}
