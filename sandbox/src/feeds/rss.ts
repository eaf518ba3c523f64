import { createHash } from 'node:crypto'
import { artworkUrl, type Catalogue, enclosureOf, feedUrl, showUrl } from '../catalogue/catalogue.ts'
import type { DurationForm, Episode, Show } from '../catalogue/show.ts'

/** The show's feed: RSS 2.0 with Apple's and Podcasting 2.0's namespaces. */
export function rssOf(catalogue: Catalogue, show: Show): string {
  const image = escapeXml(artworkUrl(catalogue, show, 1400))
  const link = escapeXml(showUrl(catalogue, show))
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:podcast="https://podcastindex.org/namespace/1.0">
  <channel>
    <title>${escapeXml(show.title)}</title>
    <link>${link}</link>
    <atom:link href="${escapeXml(feedUrl(catalogue, show))}" rel="self" type="application/rss+xml"/>
    <description>${escapeXml(show.description)}</description>
    <language>en-gb</language>
    <generator>Earmark sandbox</generator>
    <lastBuildDate>${changedAt(show).toUTCString()}</lastBuildDate>
    <podcast:guid>${podcastGuid(show)}</podcast:guid>
    <image><url>${image}</url><title>${escapeXml(show.title)}</title><link>${link}</link></image>
    <itunes:image href="${image}"/>
    <itunes:author>${escapeXml(show.author)}</itunes:author>
    <itunes:owner><itunes:name>${escapeXml(show.ownerName)}</itunes:name><itunes:email>hello@example.org</itunes:email></itunes:owner>
    <itunes:type>episodic</itunes:type>
    <itunes:explicit>false</itunes:explicit>
${show.categories.map((name) => `    <itunes:category text="${escapeXml(name)}"/>`).join('\n')}
${show.episodes.map((episode, index) => itemOf(catalogue, show, episode, show.episodes.length - index)).join('\n')}
  </channel>
</rss>
`
}

/** When the feed last changed: its newest episode. */
export function changedAt({ episodes }: Show): Date {
  return episodes[0]?.publishedAt ?? new Date(0)
}

/** A UUID that stays the show's own. */
export function podcastGuid({ slug }: Show): string {
  const hex = createHash('sha1').update(slug).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function itemOf(catalogue: Catalogue, show: Show, episode: Episode, number: number): string {
  const { url, lengthBytes, contentType, durationSeconds } = enclosureOf(catalogue, show, episode)
  const duration = durationText(episode.feedDuration, durationSeconds)
  const durationTag = duration === null ? '' : `\n      <itunes:duration>${duration}</itunes:duration>`
  return `    <item>
      <title>${escapeXml(episode.title)}</title>
      <guid isPermaLink="false">${escapeXml(`${show.slug}/${episode.slug}`)}</guid>
      <link>${escapeXml(showUrl(catalogue, show))}</link>
      <pubDate>${episode.publishedAt.toUTCString()}</pubDate>
      <description><![CDATA[${episode.descriptionHtml}]]></description>
      <enclosure url="${escapeXml(url)}" length="${lengthBytes}" type="${contentType}"/>
      <itunes:episode>${number}</itunes:episode>
      <itunes:explicit>false</itunes:explicit>${durationTag}
    </item>`
}

function durationText(declared: Episode['feedDuration'], durationSeconds: number | null): string | null {
  if (declared === null) return null
  if ('says' in declared) return declared.says
  return durationSeconds === null ? null : formatDuration(Math.round(durationSeconds), declared.form)
}

function formatDuration(seconds: number, form: DurationForm): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  switch (form) {
    case 'seconds':
      return String(seconds)
    case 'mm:ss':
      return `${minutes}:${two(seconds % 60)}`
    case 'hh:mm:ss':
      return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`
  }
}

function escapeXml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
