import { Inject, Injectable } from '@nestjs/common'
import type { Selectable } from 'kysely'
import type { Feed } from '@earmark/contracts/podcasts'
import { slugOf } from '@earmark/contracts/slug'
import { DATABASE, type Database } from '../platform/postgres/postgres.module.ts'
import type { Schema } from '../platform/postgres/schema.ts'
import type { FoundShow } from './directories/directory.ts'
import { feedId } from './feed-identity.ts'
import { plainText, storableText } from './plain-text.ts'

export type FeedRow = Selectable<Schema['feeds']>

/** The shows that a search has brought up: a feed must be known here before its episodes can be listed. */
@Injectable()
export class Feeds {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async remember(shows: FoundShow[]): Promise<Feed[]> {
    if (shows.length === 0) return []
    const rows = shows.map((show) => {
      const id = feedId(show.feedUrl)
      return {
        id,
        url: storableText(show.feedUrl),
        slug: slugOf(show.title) || id,
        title: storableText(show.title),
        description: plainText(show.description),
        image: storableText(show.image),
        artwork: storableText(show.artwork),
        link: storableText(show.link),
        original_url: storableText(show.originalUrl),
      }
    })
    await this.database
      .insertInto('feeds')
      .values(rows)
      // A feed that was fetched speaks for itself; one that was not is as the directory says today.
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((set) => ({
            slug: set.ref('excluded.slug'),
            title: set.ref('excluded.title'),
            description: set.ref('excluded.description'),
            image: set.ref('excluded.image'),
            artwork: set.ref('excluded.artwork'),
          }))
          .where('feeds.fetched_at', 'is', null),
      )
      .execute()
    return rows.map(toFeed)
  }

  /** A feed by our id, or by its slug; of several with one slug the one that was fetched last. */
  async find(idOrSlug: string): Promise<FeedRow | undefined> {
    return this.database
      .selectFrom('feeds')
      .selectAll()
      .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
      .orderBy((order) => order.case().when('id', '=', idOrSlug).then(0).else(1).end())
      .orderBy('fetched_at', (order) => order.desc().nullsLast())
      .limit(1)
      .executeTakeFirst()
  }
}

export function toFeed(
  row: Omit<FeedRow, 'slug' | 'etag' | 'last_modified' | 'fetched_at' | 'content_hash'>,
): Feed {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    image: row.image,
    artwork: row.artwork,
    url: row.url,
    originalUrl: row.original_url,
    link: row.link,
    is_favorited: false,
  }
}
