import * as z from 'zod'
import type { Config } from '../../platform/config/config.ts'
import type { Directory } from './directory.ts'

const answerSchema = z.object({
  results: z.array(
    z.object({
      // Some shows are listed without a feed.
      feedUrl: z.string().optional(),
      collectionName: z.string().optional(),
      artistName: z.string().optional(),
      artworkUrl100: z.string().optional(),
      artworkUrl600: z.string().optional(),
      collectionViewUrl: z.string().optional(),
    }),
  ),
})

/** Apple's iTunes Search API; it asks for no key. */
export function itunes(settings: Config['directories']['itunes']): Directory {
  return {
    name: 'itunes',
    async search(term, signal) {
      const query = new URLSearchParams({ media: 'podcast', entity: 'podcast', term, limit: '40' })
      const response = await fetch(`${settings.baseUrl}/search?${query.toString()}`, { signal })
      if (!response.ok) throw new Error(`answered ${response.status}`)
      const { results } = answerSchema.parse(JSON.parse(await response.text()))
      return results.flatMap((show) =>
        show.feedUrl === undefined
          ? []
          : [
              {
                feedUrl: show.feedUrl,
                originalUrl: show.feedUrl,
                title: show.collectionName ?? '',
                description: show.artistName === undefined ? '' : `By ${show.artistName}`,
                image: show.artworkUrl100 ?? '',
                artwork: show.artworkUrl600 ?? show.artworkUrl100 ?? '',
                link: show.collectionViewUrl ?? '',
              },
            ],
      )
    },
  }
}
