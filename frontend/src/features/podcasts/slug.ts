/** A title as the address of its episodes: lowercased, non-alphanumerics removed, spaces turned to hyphens (spec section 2). */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9\s]/g, '')
    .trim()
    .replace(/\s+/g, '-')
}

/** A title that leaves nothing of itself falls back to the feed's id. */
export function episodesPath(podcast: { id: string; title: string }): string {
  return `/episodes/${encodeURIComponent(slugOf(podcast.title) || podcast.id)}`
}
