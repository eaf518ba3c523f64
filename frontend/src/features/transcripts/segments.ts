import type { Segment } from '@earmark/contracts/transcripts'

/** The index of the segment that is spoken at `seconds`; -1 before the first. Segments are in order. */
export function segmentAt(segments: readonly Segment[], seconds: number): number {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.start_seconds ?? Number.POSITIVE_INFINITY) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

export type TextPart = { text: string; isHit: boolean }

/** Splits a text at every occurrence of `query`, without regard to case. */
export function splitAtHits(text: string, query: string): TextPart[] {
  const wanted = query.trim().toLowerCase()
  const folded = text.toLowerCase()
  // Folding may change a text's length (as with 'İ'); then places no longer match, and unmarked is better than mismarked.
  if (wanted === '' || folded.length !== text.length) return [{ text, isHit: false }]
  const parts: TextPart[] = []
  let from = 0
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), isHit: false })
    from = at + wanted.length
    parts.push({ text: text.slice(at, from), isHit: true })
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false })
  return parts
}

/** Splits a text at ranges that are in order and do not overlap. */
export function splitAtRanges(text: string, ranges: readonly { from: number; to: number }[]): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { from, to } of ranges) {
    if (from > at) parts.push({ text: text.slice(at, from), isHit: false })
    parts.push({ text: text.slice(from, to), isHit: true })
    at = to
  }
  if (at < text.length) parts.push({ text: text.slice(at), isHit: false })
  return parts
}

export function countHits(texts: readonly string[], query: string): number {
  return texts.reduce(
    (total, text) => total + splitAtHits(text, query).filter(({ isHit }) => isHit).length,
    0,
  )
}
