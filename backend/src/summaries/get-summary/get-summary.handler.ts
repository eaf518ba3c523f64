import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Summary } from '@earmark/contracts/summaries'
import { problem } from '../../platform/http/problem.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { toSummary } from '../summary-view.ts'

export class GetSummary extends Query<Summary> {
  constructor(
    readonly userId: string,
    readonly id: string,
  ) {
    super()
  }
}

@QueryHandler(GetSummary)
export class GetSummaryHandler implements IQueryHandler<GetSummary> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ userId, id }: GetSummary): Promise<Summary> {
    const row = await this.database
      .selectFrom('summaries')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!row) throw problem('not_found', 'There is no such summary.')
    return toSummary(row)
  }
}
