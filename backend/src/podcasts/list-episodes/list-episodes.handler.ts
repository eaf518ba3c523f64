import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Episode, Feed } from '@earmark/contracts/podcasts'
import { problem } from '../../platform/http/problem.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { Feeds, toFeed } from '../feeds.ts'
import { RefreshFeed } from './refresh-feed.ts'

export type EpisodePage = {
  podcast: Feed
  episodes: Episode[]
  has_more: boolean
  total: number
  next_offset: number | null
}

export class ListEpisodes extends Query<EpisodePage> {
  constructor(
    readonly feed: string,
    readonly page: { offset: number; limit: number; search: string | undefined },
  ) {
    super()
  }
}

@QueryHandler(ListEpisodes)
export class ListEpisodesHandler implements IQueryHandler<ListEpisodes> {
  constructor(
    private readonly feeds: Feeds,
    private readonly refreshFeed: RefreshFeed,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async execute({ feed: idOrSlug, page }: ListEpisodes): Promise<EpisodePage> {
    const known = await this.feeds.find(idOrSlug)
    if (!known) throw problem('not_found', 'This podcast is not known here. Please search for it.')
    await this.refreshFeed.ensureFresh(known)
    const feed = (await this.feeds.find(known.id)) ?? known

    let matching = this.database.selectFrom('episodes').where('feed_id', '=', feed.id)
    if (page.search) {
      const pattern = `%${page.search.replace(/[\\%_]/g, '\\$&')}%`
      matching = matching.where((where) =>
        where.or([where('title', 'ilike', pattern), where('description', 'ilike', pattern)]),
      )
    }
    const { total } = await matching
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await matching
      .selectAll()
      .orderBy('published_at', (order) => order.desc().nullsLast())
      .orderBy('place')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    const nextOffset = page.offset + rows.length
    return {
      podcast: toFeed(feed),
      total,
      has_more: nextOffset < total,
      next_offset: nextOffset < total ? nextOffset : null,
      episodes: rows.map((row) => ({
        id: row.id,
        title: row.title,
        description: row.description,
        published_at: row.published_at?.toISOString() ?? null,
        duration_seconds: row.duration_seconds,
        filesize_mb: row.filesize_bytes === null ? null : Math.round(row.filesize_bytes / 10_000) / 100,
        audio_url: row.audio_url,
      })),
    }
  }
}
