import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { artworkUrl, type Catalogue, feedUrl, matches, showUrl } from '../catalogue/catalogue.ts'
import type { Show } from '../catalogue/show.ts'
import { podcastGuid } from '../feeds/rss.ts'
import { json, type Reply } from '../http/reply.ts'
import type { Vendor } from '../vendor.ts'

const key = 'sandbox'
const secret = 'sandbox'
const toleranceSeconds = 180
const defaultMax = 60
const greatestMax = 1000

/**
 * Podcast Index, `search/byterm` (https://podcastindex-org.github.io/docs-api): the base address to give to a client
 * is `<sandbox>/podcastindex/api/1.0`, the key and the secret are both `sandbox`.
 */
export function podcastIndex(catalogue: Catalogue): Vendor {
  return {
    name: 'podcastindex',
    title: 'Podcast Index',
    description: 'The podcast directory with a key. Key and secret are both "sandbox".',
    paths: ['/podcastindex/'],
    methods: ['GET'],
    failure,
    answer({ url, headers }) {
      const refusal = refusedBecause(headers)
      if (refusal !== undefined) return failure(401, refusal)
      if (url.pathname !== '/podcastindex/api/1.0/search/byterm') return failure(404, 'No such call.')

      const query = url.searchParams.get('q') ?? ''
      if (query === '') return failure(400, 'This call requires a valid `q` parameter.')
      const asked = Number(url.searchParams.get('max') ?? defaultMax)
      const max = Number.isInteger(asked) && asked > 0 ? Math.min(asked, greatestMax) : defaultMax

      const found = catalogue.shows
        .filter(({ title, author, ownerName }) => matches(query, [title, author, ownerName]))
        .flatMap((show) =>
          show.podcastIndexId === null ? [] : [feedOf(catalogue, show, show.podcastIndexId)],
        )
        .slice(0, max)
      return json(200, {
        status: 'true',
        feeds: found,
        count: found.length,
        query,
        description: 'Found matching feeds.',
      })
    },
  }
}

function failure(status: number, description: string): Reply {
  return json(status, { status: 'false', description })
}

function refusedBecause(headers: IncomingHttpHeaders): string | undefined {
  const { 'x-auth-key': sentKey, 'x-auth-date': sentDate, authorization } = headers
  if (!headers['user-agent']) return 'A User-Agent header is required.'
  if (typeof sentKey !== 'string' || typeof sentDate !== 'string' || authorization === undefined) {
    return 'X-Auth-Key, X-Auth-Date and Authorization headers are required.'
  }
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(sentDate))
  if (!(ageSeconds <= toleranceSeconds)) return 'X-Auth-Date is not within three minutes of now.'

  const expected = createHash('sha1').update(`${key}${secret}${sentDate}`).digest()
  const sent = Buffer.from(authorization, 'hex')
  const isRight = sentKey === key && sent.length === expected.length && timingSafeEqual(sent, expected)
  return isRight ? undefined : 'The key or the Authorization header is not right.'
}

function feedOf(catalogue: Catalogue, show: Show, id: number) {
  const url = feedUrl(catalogue, show)
  const image = artworkUrl(catalogue, show, 1400)
  const newestAt = Math.floor((show.episodes[0]?.publishedAt.getTime() ?? 0) / 1000)
  return {
    id,
    podcastGuid: podcastGuid(show),
    title: show.title,
    url,
    originalUrl: url,
    link: showUrl(catalogue, show),
    description: show.description,
    author: show.author,
    ownerName: show.ownerName,
    image,
    artwork: image,
    lastUpdateTime: newestAt,
    lastCrawlTime: newestAt,
    lastParseTime: newestAt,
    lastGoodHttpStatusTime: newestAt,
    inPollingQueue: 0,
    priority: 0,
    lastHttpStatus: 200,
    contentType: 'application/rss+xml; charset=utf-8',
    itunesId: show.itunesId,
    generator: 'Earmark sandbox',
    language: 'en-gb',
    type: 0,
    medium: 'podcast',
    dead: 0,
    crawlErrors: 0,
    parseErrors: 0,
    categories: Object.fromEntries(show.categories.map((name, index) => [String(index + 1), name])),
    locked: 0,
    explicit: false,
    episodeCount: show.episodes.length,
    imageUrlHash: 0,
    newestItemPubdate: newestAt,
  }
}
