import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Config } from '../../platform/config/config.ts'
import type { Directory } from './directory.ts'

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

const answerSchema = z.object({
  feeds: z.array(
    z.object({
      url: z.string(),
      originalUrl: text,
      title: text,
      description: text,
      image: text,
      artwork: text,
      link: text,
    }),
  ),
})

/** Podcast Index's search by term. Source: the "Search podcasts" page of its API reference. */
export function podcastIndex(settings: Config['directories']['podcastIndex']): Directory {
  return {
    name: 'podcastindex',
    async search(term, signal) {
      const date = String(Math.floor(Date.now() / 1000))
      const query = new URLSearchParams({ q: term, max: '40' })
      const response = await fetch(`${settings.baseUrl}/search/byterm?${query.toString()}`, {
        signal,
        headers: {
          'user-agent': 'Earmark/0.1',
          'x-auth-key': settings.key,
          'x-auth-date': date,
          authorization: createHash('sha1')
            .update(settings.key + settings.secret + date)
            .digest('hex'),
        },
      })
      if (!response.ok) throw new Error(`answered ${response.status}`)
      const { feeds } = answerSchema.parse(await response.json())
      return feeds.map(({ url, ...feed }) => ({
        ...feed,
        feedUrl: url,
        originalUrl: feed.originalUrl || url,
      }))
    },
  }
}
