import type { Ranked } from './ranking.ts'
import { stem, wordsOf } from './sentences.ts'
import { isStopword } from './words.ts'

/** The strongest terms, as people would list them; words of a phrase that keeps coming stay together. */
export function topics({ sentences, terms }: Ranked, count: number): string[] {
  const phrases = phrasesIn(sentences.map(({ text }) => text))
  const chosen: string[] = []
  for (const { word } of terms) {
    if (chosen.length === count) break
    const phrase = phrases.find((known) => wordsOf(known).some((part) => stem(part) === stem(word))) ?? word
    const stems = wordsOf(phrase).map(stem)
    if (!chosen.some((other) => wordsOf(other).some((part) => stems.includes(stem(part)))))
      chosen.push(phrase)
  }
  return chosen
}

/** Pairs of content words that come more than once side by side, most frequent first. */
function phrasesIn(texts: string[]): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const part of text.split(/[^\p{L}\p{N}'’\s-]+/u)) {
      const words = wordsOf(part)
      words.slice(1).forEach((word, at) => {
        const before = words[at] ?? ''
        if (isStopword(before) || isStopword(word)) return
        const phrase = `${before} ${word}`
        counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
      })
    }
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([, one], [, other]) => other - one)
    .map(([phrase]) => phrase)
}
