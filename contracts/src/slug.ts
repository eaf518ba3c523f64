/**
 * A podcast's title as it stands in the address of its episodes: lowercased, non-alphanumerics removed, spaces turned to
 * hyphens (spec section 2). Empty for a title without any: then the feed's id stands there.
 */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}
