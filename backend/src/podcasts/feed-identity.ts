import { createHash } from 'node:crypto'

/** The same for addresses that differ only in scheme, case of the host, default port, fragment or a slash at the end. */
export function feedKey(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  return `${parsed.host.toLowerCase()}${parsed.pathname.replace(/\/+$/, '')}${parsed.search}`
}

/** Our id of a feed: the same in every process, for every address of it. */
export function feedId(url: string): string {
  return digest(feedKey(url), 20)
}

/** Our id of an episode; a feed's guid is unique within the feed alone. */
export function episodeId(feed: string, guid: string): string {
  return digest(`${feed}\n${guid}`, 24)
}

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}
