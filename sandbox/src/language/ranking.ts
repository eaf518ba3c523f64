import { hasVerb, isChatter, leans } from './phrasing.ts'
import { type Sentence, sentencesOf, stem } from './sentences.ts'
import { type Term, termsOf } from './terms.ts'

/** A text with what it is about: its terms by weight and its sentences' scores. */
export type Ranked = { sentences: Sentence[]; scores: number[]; terms: Term[] }

export function rank(lines: readonly string[]): Ranked {
  const sentences = sentencesOf(lines)
  const terms = termsOf(sentences)
  const weights = new Map(terms.map(({ word, weight }) => [stem(word.toLowerCase()), weight]))
  return { sentences, terms, scores: sentences.map((sentence) => score(sentence, sentences.length, weights)) }
}

function score(
  { text, index, terms, wordCount }: Sentence,
  total: number,
  weights: Map<string, number>,
): number {
  if (wordCount < 5 || text.endsWith('?') || isChatter(text)) return 0
  const carried = [...new Set(terms)].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
  const length = wordCount < 8 ? 0.75 : wordCount > 36 ? 0.6 : wordCount > 26 ? 0.85 : 1
  const place = index < total * 0.15 ? 1.15 : index > total * 0.85 ? 1.1 : 1
  const stands = leans(text) ? 0.5 : 1
  const points = /\b(?:it|this|that|them|these|those)\b[.,]?/i.test(text) ? 0.8 : 1
  const says = /\b(?:because|means|never|always|only|is not|are not|reason|why|every|most)\b/i.test(text)
    ? 1.25
    : 1
  const person = /\b(?:I|me|my)\b/.test(text) ? 0.7 : 1
  const whole = /[.!…]["”’')\]]*$/.test(text) && hasVerb(text) ? 1 : 0.5
  return (carried / Math.sqrt(wordCount)) * length * place * stands * points * says * person * whole
}

/** The best of each part of the text, in the text's order, none saying what another says. */
export function spread(
  { sentences, scores }: Ranked,
  count: number,
  isFit: (sentence: Sentence) => boolean = () => true,
): Sentence[] {
  const chosen: Sentence[] = []
  const value = (sentence: Sentence) => scores[sentence.index] ?? 0
  const fit = sentences.filter((sentence) => value(sentence) > 0 && isFit(sentence))
  const take = (candidates: Sentence[]) => {
    const fresh = candidates.filter((sentence) => chosen.every((other) => likeness(sentence, other) < 0.5))
    const [best] = fresh.sort((one, other) => value(other) - value(one) || one.index - other.index)
    if (best) chosen.push(best)
  }
  for (let part = 0; part < count; part += 1) {
    const from = (sentences.length * part) / count
    take(fit.filter(({ index }) => index >= from && index < from + sentences.length / count))
  }
  for (let missing = count - chosen.length; missing > 0; missing -= 1) {
    take(fit.filter((sentence) => !chosen.includes(sentence)))
  }
  return chosen.sort((one, other) => one.index - other.index)
}

/** The best ones by score, none saying what another says. */
export function best(
  ranked: Ranked,
  count: number,
  isFit: (sentence: Sentence) => boolean = () => true,
): Sentence[] {
  const byScore = ranked.sentences
    .filter((sentence) => (ranked.scores[sentence.index] ?? 0) > 0 && isFit(sentence))
    .sort(
      (one, other) =>
        (ranked.scores[other.index] ?? 0) - (ranked.scores[one.index] ?? 0) || one.index - other.index,
    )
  const chosen: Sentence[] = []
  for (const sentence of byScore) {
    if (chosen.length === count) break
    if (chosen.every((other) => likeness(sentence, other) < 0.5)) chosen.push(sentence)
  }
  return chosen
}

function likeness(one: Sentence, other: Sentence): number {
  if (one === other) return 1
  const terms = new Set(one.terms)
  const shared = new Set(other.terms.filter((term) => terms.has(term))).size
  return shared / Math.max(1, Math.min(terms.size, new Set(other.terms).size))
}
