import * as z from 'zod'
import { accountRoute } from './route.ts'

export const feedSchema = z.object({
  id: z.string().describe('Our id of the feed'),
  title: z.string(),
  description: z.string(),
  image: z.string(),
  artwork: z.string(),
  url: z.string().describe("The feed's address"),
  originalUrl: z.string(),
  link: z.string(),
  is_favorited: z.boolean(),
})
export type Feed = z.infer<typeof feedSchema>

export const episodeSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  published_at: z.iso.datetime().nullable(),
  duration_seconds: z
    .int()
    .nonnegative()
    .nullable()
    .describe('As the feed says; the audio itself decides the price'),
  filesize_mb: z.number().nonnegative().nullable(),
  audio_url: z.string().nullable(),
})
export type Episode = z.infer<typeof episodeSchema>

export const podcastsContract = {
  search: accountRoute
    .route({ method: 'GET', path: '/search', tags: ['Podcasts'], summary: 'Search the podcast directories' })
    .input(z.object({ term: z.string().trim().min(1).max(200) }))
    .output(z.object({ feeds: z.array(feedSchema) })),

  episodes: accountRoute
    .route({
      method: 'GET',
      path: '/podcasts/{feed}/episodes',
      tags: ['Podcasts'],
      summary: "A podcast's episodes, newest first",
      description:
        '`offset` wins over `page` where both are given. `{feed}` is the id or the slug of a feed.',
    })
    .input(
      z.object({
        feed: z.string().min(1).max(200),
        page: z.coerce.number<number>().int().min(1).max(100_000).default(1),
        limit: z.coerce.number<number>().int().min(1).max(100).default(20),
        offset: z.coerce.number<number>().int().min(0).max(1_000_000).optional(),
        search: z.string().trim().max(200).optional(),
      }),
    )
    .output(
      z.object({
        podcast: feedSchema,
        episodes: z.array(episodeSchema),
        has_more: z.boolean(),
        total: z.int(),
        next_offset: z.int().nullable(),
      }),
    ),
}
