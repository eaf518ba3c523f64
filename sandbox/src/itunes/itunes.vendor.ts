import { artworkUrl, type Catalogue, feedUrl, matches, showUrl } from '../catalogue/catalogue.ts'
import type { Show } from '../catalogue/show.ts'
import { type Reply, text } from '../http/reply.ts'
import type { Vendor } from '../vendor.ts'

const defaultLimit = 50
const greatestLimit = 200
const javascript = 'text/javascript; charset=utf-8' // Apple's own choice for its JSON

/** iTunes Search (https://performance-partners.apple.com/search-api), podcasts only: `<sandbox>/itunes/search`. */
export function itunes(catalogue: Catalogue): Vendor {
  return {
    name: 'itunes',
    title: 'iTunes Search',
    description: "Apple's podcast directory, without a key.",
    paths: ['/itunes/'],
    methods: ['GET'],
    failure,
    answer({ url }) {
      if (url.pathname !== '/itunes/search') return failure(404, 'No such call.')
      const media = url.searchParams.get('media') ?? 'all'
      const entity = url.searchParams.get('entity') ?? 'podcast'
      if (!['all', 'podcast'].includes(media)) return failure(400, 'Invalid value(s) for key(s): [mediaType]')
      if (entity !== 'podcast') return failure(400, 'Invalid value(s) for key(s): [resultEntity]')

      const term = url.searchParams.get('term') ?? ''
      const asked = Number(url.searchParams.get('limit') ?? defaultLimit)
      const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, greatestLimit) : defaultLimit
      const results = catalogue.shows
        .filter(({ title, author, description }) => matches(term, [title, author, description]))
        .flatMap((show) => (show.itunesId === null ? [] : [resultOf(catalogue, show, show.itunesId)]))
        .slice(0, limit)
      return text(200, JSON.stringify({ resultCount: results.length, results }), javascript)
    },
  }
}

function failure(status: number, errorMessage: string): Reply {
  return text(status, JSON.stringify({ errorMessage }), javascript)
}

function resultOf(catalogue: Catalogue, show: Show, id: number) {
  const [primaryGenreName = 'Podcasts'] = show.categories
  return {
    wrapperType: 'track',
    kind: 'podcast',
    collectionId: id,
    trackId: id,
    artistName: show.author,
    collectionName: show.title,
    trackName: show.title,
    collectionCensoredName: show.title,
    trackCensoredName: show.title,
    collectionViewUrl: showUrl(catalogue, show),
    feedUrl: feedUrl(catalogue, show) + (show.itunesFeedEndsInSlash ? '/' : ''),
    trackViewUrl: showUrl(catalogue, show),
    artworkUrl30: artworkUrl(catalogue, show, 30),
    artworkUrl60: artworkUrl(catalogue, show, 60),
    artworkUrl100: artworkUrl(catalogue, show, 100),
    artworkUrl600: artworkUrl(catalogue, show, 600),
    collectionPrice: 0,
    trackPrice: 0,
    collectionHdPrice: 0,
    releaseDate: (show.episodes[0]?.publishedAt ?? new Date(0)).toISOString().replace('.000', ''),
    collectionExplicitness: 'notExplicit',
    trackExplicitness: 'cleaned',
    trackCount: show.episodes.length,
    country: 'USA',
    currency: 'USD',
    primaryGenreName,
    contentAdvisoryRating: 'Clean',
    genreIds: ['26'],
    genres: [...show.categories, 'Podcasts'],
  }
}
