import { createHash } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { Logger } from 'pino'
import { sql } from 'kysely'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { problem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { FetchRefused, GuardedFetch, readAll } from '../../platform/outgoing/guarded-fetch.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import type { FeedRow } from '../feeds.ts'
import { readFeed, UnreadableFeed } from '../read-feed.ts'

const freshMs = 10 * 60 * 1000
/** A host that is down is left alone for so long; meanwhile our old copy is shown at once. */
const afterFailureMs = 60 * 1000
const timeoutMs = 30_000

/** Keeps our copy of a feed's episodes: asked for again after ten minutes, and then only if it changed. */
@Injectable()
export class RefreshFeed {
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outgoing: GuardedFetch,
  ) {}

  /** @throws a `feed_unavailable` problem where there is no copy and none can be had. An old copy is better than none. */
  async ensureFresh(feed: FeedRow): Promise<void> {
    if (feed.fetched_at !== null && Date.now() - feed.fetched_at.getTime() < freshMs) return
    const running = this.#underWay.get(feed.id) ?? this.#refresh(feed)
    this.#underWay.set(feed.id, running)
    try {
      await running
    } catch (error) {
      if (!(error instanceof FetchRefused || error instanceof UnreadableFeed)) throw error
      this.logger.warn({ feed: feed.id, url: feed.url, error: error.message }, 'feed not refreshed')
      if (feed.fetched_at === null) {
        throw problem(
          'feed_unavailable',
          'This podcast’s feed cannot be read right now. Please try again later.',
        )
      }
      const askAgainIn = new Date(Date.now() - freshMs + afterFailureMs)
      await this.database
        .updateTable('feeds')
        .set({ fetched_at: askAgainIn })
        .where('id', '=', feed.id)
        .execute()
    } finally {
      this.#underWay.delete(feed.id)
    }
  }

  async #refresh(feed: FeedRow): Promise<void> {
    const response = await this.outgoing.get(feed.url, {
      maxBytes: this.config.outgoing.feedMaxBytes,
      timeoutMs,
      acceptEncoding: true,
      headers: {
        accept: 'application/rss+xml, application/xml;q=0.9, */*;q=0.5',
        ...(feed.etag !== null && { 'if-none-match': feed.etag }),
        ...(feed.last_modified !== null && { 'if-modified-since': feed.last_modified }),
      },
    })
    const asked = {
      fetched_at: new Date(),
      etag: response.header('etag') ?? null,
      last_modified: response.header('last-modified') ?? null,
    }
    if (response.status === 304) {
      response.body.destroy()
      await this.database
        .updateTable('feeds')
        .set({ fetched_at: asked.fetched_at })
        .where('id', '=', feed.id)
        .execute()
      return
    }
    const xml = await readAll(response)
    const contentHash = createHash('sha256').update(xml).digest()
    if (feed.content_hash?.equals(contentHash)) {
      await this.database.updateTable('feeds').set(asked).where('id', '=', feed.id).execute()
      return
    }
    const read = readFeed(feed.id, xml.toString('utf8'))
    await this.database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('feeds')
        .set({
          ...asked,
          content_hash: contentHash,
          title: read.title || feed.title,
          description: read.description || feed.description,
          image: read.image || feed.image,
          link: read.link || feed.link,
        })
        .where('id', '=', feed.id)
        .execute()
      await transaction.deleteFrom('episodes').where('feed_id', '=', feed.id).execute()
      await sql`
        insert into episodes (feed_id, id, title, description, published_at, duration_seconds, filesize_bytes, audio_url, place)
        select ${feed.id}, item.* from jsonb_to_recordset(${JSON.stringify(read.episodes)}::jsonb) as item(
          id text, title text, description text, published_at timestamptz, duration_seconds integer,
          filesize_bytes bigint, audio_url text, place integer
        )`.execute(transaction)
    })
  }
}
