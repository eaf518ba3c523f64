import { parseFeed } from 'feedsmith'
import { episodeId } from './feed-identity.ts'
import { plainText, storableText } from './plain-text.ts'

export type ReadEpisode = {
  id: string
  title: string
  description: string
  published_at: string | null
  duration_seconds: number | null
  filesize_bytes: number | null
  audio_url: string | null
  place: number
}

export type ReadFeed = {
  title: string
  description: string
  image: string
  link: string
  episodes: ReadEpisode[]
}

/** What was fetched is no feed, or none that can be read safely. */
export class UnreadableFeed extends Error {
  override readonly name = 'UnreadableFeed'
}

/**
 * Entities are declared in a DOCTYPE, and only there: a feed needs none, a bomb does. One that stands in a comment or
 * in CDATA is text. Looks at each character once, which no pattern over the whole could promise.
 */
function declaresDoctype(xml: string): boolean {
  const endOf: Record<string, string> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' }
  const next = /<!--|<!\[CDATA\[|<\?|<!DOCTYPE/gi
  for (let found = next.exec(xml); found; found = next.exec(xml)) {
    const end = endOf[found[0].toUpperCase()]
    if (end === undefined) return true
    const at = xml.indexOf(end, next.lastIndex)
    if (at === -1) return false
    next.lastIndex = at + end.length
  }
  return false
}

/**
 * Reads an RSS or Atom podcast feed.
 * @throws UnreadableFeed
 */
export function readFeed(id: string, xml: string): ReadFeed {
  if (declaresDoctype(xml)) throw new UnreadableFeed('The feed declares a DOCTYPE')
  const parsed = parse(xml)
  if (parsed.format !== 'rss')
    throw new UnreadableFeed(`A podcast is published as RSS, this is ${parsed.format}`)
  const { feed } = parsed
  const seen = new Set<string>()
  const episodes: ReadEpisode[] = []
  for (const item of feed.items ?? []) {
    const enclosure = item.enclosures?.find(
      ({ type, url }) => url && (!type || /^(audio|video)\//.test(type)),
    )
    const guid = item.guid?.value ?? enclosure?.url ?? item.link ?? item.title
    if (guid === undefined) continue
    const ownId = episodeId(id, guid)
    if (seen.has(ownId)) continue
    seen.add(ownId)
    episodes.push({
      id: ownId,
      title: plainText(item.title ?? item.itunes?.title) || 'Untitled Episode',
      description: plainText(item.content?.encoded ?? item.description),
      published_at: toIso(item.pubDate),
      duration_seconds: toSeconds(item.itunes?.duration),
      filesize_bytes: toBytes(enclosure?.length),
      audio_url: toHttpUrl(enclosure?.url),
      place: episodes.length,
    })
  }
  return {
    title: plainText(feed.title),
    description: plainText(feed.description),
    image: storableText(feed.itunes?.image ?? feed.image?.url ?? ''),
    link: storableText(feed.link ?? ''),
    episodes,
  }
}

function parse(xml: string) {
  try {
    return parseFeed(xml)
  } catch (error) {
    throw new UnreadableFeed(`No feed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function toIso(date: unknown): string | null {
  const time =
    date instanceof Date ? date.getTime() : typeof date === 'string' ? Date.parse(date) : Number.NaN
  // PostgreSQL and JavaScript agree on these years, and no podcast is older.
  return time > 0 && time < Date.UTC(2200, 0) ? new Date(time).toISOString() : null
}

function toSeconds(duration: unknown): number | null {
  const seconds = Math.round(Number(duration))
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1_000_000 ? seconds : null
}

function toBytes(length: unknown): number | null {
  const bytes = Number(length)
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null
}

function toHttpUrl(url: string | undefined): string | null {
  const parsed = url === undefined ? null : URL.parse(url.trim())
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.href.length <= 4096 ? parsed.href : null
}
