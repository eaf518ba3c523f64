import { createHash } from 'node:crypto'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Show } from '../catalogue/show.ts'
import { openToBrowsers, type Reply, text } from '../http/reply.ts'
import type { Vendor } from '../vendor.ts'
import { changedAt, rssOf } from './rss.ts'

const greatestArtworkPixels = 3000

/** A podcast host: the feeds, with conditional requests, and the artwork. */
export function feeds(catalogue: Catalogue): Vendor {
  const shows = new Map(catalogue.shows.map((show) => [show.slug, show]))
  return {
    name: 'feeds',
    title: 'Podcast host',
    description: "The shows' RSS feeds and artwork.",
    paths: ['/feeds/', '/artwork/'],
    methods: ['GET', 'HEAD'],
    failure: (status, message) => text(status, message),
    answer({ url }) {
      const [, folder, slug = '', size = '', ...rest] = url.pathname.split('/')
      const show = shows.get(slug)
      if (!show || rest.length > 0) return text(404, 'No such show.')
      if (folder === 'feeds') return size === '' ? feedReply(catalogue, show) : text(404, 'No such feed.')

      const pixels = Number(/^(\d+)x\1\.svg$/.exec(size)?.[1])
      if (!(pixels >= 1 && pixels <= greatestArtworkPixels)) return text(404, 'No such picture.')
      return {
        status: 200,
        body: artworkSvg(show, pixels),
        headers: {
          'content-type': 'image/svg+xml; charset=utf-8',
          'cache-control': 'public, max-age=3600',
          ...openToBrowsers,
        },
      }
    },
  }
}

function feedReply(catalogue: Catalogue, show: Show): Reply {
  const body = rssOf(catalogue, show)
  const etag = `"${createHash('sha1').update(body).digest('hex')}"`
  return {
    status: 200,
    headers: {
      'content-type': 'application/rss+xml; charset=utf-8',
      etag,
      'last-modified': changedAt(show).toUTCString(),
      'cache-control': 'public, max-age=60',
      ...openToBrowsers,
    },
    body,
  }
}

function artworkSvg({ colour, initial, title }: Show, pixels: number): string {
  const label = title.replaceAll('&', '&amp;')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 132 132" role="img" aria-label="${label}"><rect width="132" height="132" fill="${colour}"/><text x="66" y="86" font-family="'Instrument Serif', 'Playfair Display', Georgia, 'Times New Roman', serif" font-size="62" fill="#fff" text-anchor="middle">${initial}</text></svg>
`
}
