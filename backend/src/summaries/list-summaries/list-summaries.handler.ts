import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Summary } from '@earmark/contracts/summaries'
import { problem } from '../../platform/http/problem.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { toSummary } from '../summary-view.ts'

/** The summaries of a transcript, the newest of each type. */
export class ListSummaries extends Query<{ summaries: Summary[] }> {
  constructor(
    readonly userId: string,
    readonly transcriptId: string,
  ) {
    super()
  }
}

@QueryHandler(ListSummaries)
export class ListSummariesHandler implements IQueryHandler<ListSummaries> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ userId, transcriptId }: ListSummaries): Promise<{ summaries: Summary[] }> {
    const transcript = await this.database
      .selectFrom('transcripts')
      .select('id')
      .where('id', '=', transcriptId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!transcript) throw problem('not_found', 'There is no such transcript.')
    const rows = await this.database
      .selectFrom('summaries')
      .distinctOn('summary_type')
      .selectAll()
      .where('transcript_id', '=', transcriptId)
      .where('status', '!=', 'refused')
      .orderBy('summary_type')
      .orderBy('created_at', 'desc')
      .execute()
    return { summaries: rows.map(toSummary) }
  }
}
