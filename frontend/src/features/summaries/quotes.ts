import type { Segment } from '@earmark/contracts/transcripts'

/** Characters `from` up to `to`, exclusive, of one segment's text. */
export type QuotedRange = { from: number; to: number }

/** Where a quote was said. */
export type QuotePlace = { startSeconds: number; ranges: ReadonlyMap<number, QuotedRange> }

type Letter = { segment: number; from: number; to: number }

/** Letters and digits alone, folded: how a quote is set (its quotation marks, spaces, capitals, accents) does not matter. */
function lettersOf(text: string): { folded: string; from: number; to: number }[] {
  const letters: { folded: string; from: number; to: number }[] = []
  let from = 0
  for (const character of text) {
    const to = from + character.length
    for (const folded of character.normalize('NFKD').toLowerCase()) {
      if (/[\p{L}\p{N}]/u.test(folded)) letters.push({ folded, from, to })
    }
    from = to
  }
  return letters
}

/** Finds quotes in a transcript. Made once for a transcript; each quote is looked for once. */
export function createQuoteFinder(segments: readonly Segment[]): (quote: string) => QuotePlace | null {
  const letters: Letter[] = []
  // One code point a letter, kept as an array so that places agree whatever a letter's length is.
  const folded: string[] = []
  segments.forEach(({ text }, segment) => {
    for (const letter of lettersOf(text)) {
      letters.push({ segment, from: letter.from, to: letter.to })
      folded.push(letter.folded)
    }
  })

  const find = (quote: string): QuotePlace | null => {
    const wanted = lettersOf(quote).map((letter) => letter.folded)
    const at = indexOfRun(folded, wanted)
    if (at < 0) return null
    const ranges = new Map<number, QuotedRange>()
    for (const { segment, from, to } of letters.slice(at, at + wanted.length)) {
      const known = ranges.get(segment)
      ranges.set(segment, { from: known?.from ?? from, to })
    }
    for (const [segment, range] of ranges) {
      ranges.set(segment, { ...range, to: throughPunctuation(segments[segment]?.text ?? '', range.to) })
    }
    return { startSeconds: segments[letters[at]?.segment ?? 0]?.start_seconds ?? 0, ranges }
  }

  const found = new Map<string, QuotePlace | null>()
  return (quote) => {
    const known = found.get(quote)
    if (known !== undefined) return known
    const place = find(quote)
    found.set(quote, place)
    return place
  }
}

function indexOfRun(all: readonly string[], run: readonly string[]): number {
  if (run.length === 0) return -1
  for (let at = 0; at + run.length <= all.length; at += 1) {
    let length = 0
    while (length < run.length && all[at + length] === run[length]) length += 1
    if (length === run.length) return at
  }
  return -1
}

/** A sentence's full stop belongs to it. */
function throughPunctuation(text: string, end: number): number {
  return end + (/^[.,;:!?…’”"')\]]+/u.exec(text.slice(end))?.[0].length ?? 0)
}

/** What is marked in each segment, by its index; ranges in order, none overlapping. */
export function marksOf(places: readonly QuotePlace[]): ReadonlyMap<number, readonly QuotedRange[]> {
  const marks = new Map<number, QuotedRange[]>()
  for (const { ranges } of places) {
    for (const [segment, range] of ranges) marks.set(segment, [...(marks.get(segment) ?? []), range])
  }
  for (const [segment, ranges] of marks) marks.set(segment, merged(ranges))
  return marks
}

function merged(ranges: QuotedRange[]): QuotedRange[] {
  const inOrder = [...ranges].sort((a, b) => a.from - b.from)
  const result: QuotedRange[] = []
  for (const range of inOrder) {
    const last = result.at(-1)
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to)
    else result.push({ ...range })
  }
  return result
}
