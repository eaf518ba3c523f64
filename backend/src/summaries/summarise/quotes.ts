/** Fewer say nothing that could not be found by chance. */
const fewestWords = 3

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Finds what somebody quotes in a text, whatever its case, spaces, punctuation, quotation marks and dashes.
 * The answer is the text's own words, letter for letter; null where they are not there, or are too few.
 */
export function quoteFinder(text: string): (quote: string) => string | null {
  // The words alone, one behind the other, and where each begins and ends in both.
  let letters = ''
  const starts = new Map<number, number>()
  const ends = new Map<number, number>()
  for (const { index, segment } of segmenter.segment(text)) {
    const word = lettersOf(segment)
    if (word === '') continue
    starts.set(letters.length, index)
    letters += word
    ends.set(letters.length, index + segment.length)
  }

  return (quote) => {
    const wanted = lettersOf(quote)
    if (wanted === '') return null
    for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
      const start = starts.get(at)
      const end = ends.get(at + wanted.length)
      // Not in the middle of a word.
      if (start === undefined || end === undefined) continue
      const own = text.slice(start, end)
      return countWords(own) < fewestWords ? null : own + (/^[.!?…]+/.exec(text.slice(end))?.[0] ?? '')
    }
    return null
  }
}

/** The same content with each `quote` in it replaced by the transcript's own words, or null where they are not there. */
export function withRealQuotes<T>(content: T, find: (quote: string) => string | null): T {
  return JSON.parse(
    JSON.stringify(content, (key, value: unknown) =>
      key === 'quote' && typeof value === 'string' ? find(value) : value,
    ),
  ) as T
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}

function countWords(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length
}
