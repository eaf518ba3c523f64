import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import { sql } from 'kysely'
import type { TranscriptSummary } from '@earmark/contracts/transcripts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { summaryColumns, summaryCount, toSummary } from '../transcript-view.ts'

export type TranscriptFilter = {
  page: number
  limit: number
  /** Archived ones too; else only those that are not. */
  archived: boolean
  search: string | undefined
  tags: string[]
  episodeId: string | undefined
}

export class ListTranscripts extends Query<{ transcripts: TranscriptSummary[]; total: number }> {
  constructor(
    readonly userId: string,
    readonly filter: TranscriptFilter,
  ) {
    super()
  }
}

@QueryHandler(ListTranscripts)
export class ListTranscriptsHandler implements IQueryHandler<ListTranscripts> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({
    userId,
    filter,
  }: ListTranscripts): Promise<{ transcripts: TranscriptSummary[]; total: number }> {
    let matching = this.database
      .selectFrom('transcripts')
      .where('user_id', '=', userId)
      .where('status', '!=', 'refused')
    if (!filter.archived) matching = matching.where('is_archived', '=', false)
    if (filter.episodeId !== undefined) matching = matching.where('episode_id', '=', filter.episodeId)
    if (filter.tags.length > 0) matching = matching.where(sql<boolean>`tags @> ${filter.tags}`)
    if (filter.search) {
      const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`
      matching = matching.where((where) =>
        where.or([where('episode_title', 'ilike', pattern), where('podcast_title', 'ilike', pattern)]),
      )
    }
    const { total } = await matching
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await matching
      .select(summaryColumns)
      .select(summaryCount)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit)
      .execute()
    return { transcripts: rows.map(toSummary), total }
  }
}
