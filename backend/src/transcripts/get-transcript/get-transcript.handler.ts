import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Transcript } from '@earmark/contracts/transcripts'
import { problem } from '../../platform/http/problem.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { summaryCount, toTranscript } from '../transcript-view.ts'

export class GetTranscript extends Query<Transcript> {
  constructor(
    readonly userId: string,
    readonly id: string,
  ) {
    super()
  }
}

@QueryHandler(GetTranscript)
export class GetTranscriptHandler implements IQueryHandler<GetTranscript> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ userId, id }: GetTranscript): Promise<Transcript> {
    const row = await this.database
      .selectFrom('transcripts')
      .selectAll()
      .select(summaryCount)
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!row) throw problem('not_found', 'There is no such transcript.')
    return toTranscript(row)
  }
}
