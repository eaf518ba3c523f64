import { slugOf } from '@earmark/contracts/slug'

/** A title that leaves nothing of itself falls back to the feed's id. */
export function episodesPath(podcast: { id: string; title: string }): string {
  return `/episodes/${encodeURIComponent(slugOf(podcast.title) || podcast.id)}`
}
