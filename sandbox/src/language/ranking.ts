import { type Sentence, sentencesOf, stem, wordsOf } from './sentences.ts'
import { isStopword } from './words.ts'

export type Term = { word: string; count: number; weight: number }

/** A text with what it is about: its terms by weight and its sentences' scores. */
export type Ranked = { sentences: Sentence[]; scores: number[]; terms: Term[] }

/** Openings that lean on the sentence before. */
const leaning =
  /^(?:it|its|they|them|their|he|she|his|her|this|that|these|those|such|and|but|or|so|then|there|here|which|both|neither|not|or|we|one)\b/i
const chatter =
  /\b(?:welcome|thanks? (?:you )?for|subscribe|sponsor|good night|goodbye|see you|next (?:week|time|episode)|this is [A-Z]|my name is|i'm your host|in this episode|let's get (?:started|into))\b/i

export function rank(lines: readonly string[]): Ranked {
  const sentences = sentencesOf(lines)
  const terms = termsOf(sentences)
  const weights = new Map(terms.map(({ word, weight }) => [stem(word), weight]))
  return { sentences, terms, scores: sentences.map((sentence) => score(sentence, sentences.length, weights)) }
}

type Entry = { shapes: Map<string, number>; sentences: Set<number>; count: number }

/** Words by how often they come, each sentence once and spread over the text counting for more. */
function termsOf(sentences: readonly Sentence[]): Term[] {
  const found = new Map<string, Entry>()
  for (const { text, index } of sentences) {
    for (const word of wordsOf(text)) {
      if (isStopword(word)) continue
      const key = stem(word)
      const entry: Entry = found.get(key) ?? { shapes: new Map(), sentences: new Set(), count: 0 }
      entry.count += 1
      entry.sentences.add(index)
      entry.shapes.set(word, (entry.shapes.get(word) ?? 0) + 1)
      found.set(key, entry)
    }
  }
  return [...found.values()]
    .map(({ shapes, sentences: where, count }) => {
      const word = [...shapes].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''
      const nouniness = isVerbOrAdverb(word) ? 0.35 : 1
      return { word, count, weight: nouniness * Math.log2(1 + where.size) * (word.length > 3 ? 1 : 0.7) }
    })
    .sort((one, other) => other.weight - one.weight || one.word.localeCompare(other.word))
}

function isVerbOrAdverb(word: string): boolean {
  return /(?:ly|ing|ed)$/.test(word) && word.length > 4
}

function score(
  { text, index, terms, wordCount }: Sentence,
  total: number,
  weights: Map<string, number>,
): number {
  if (wordCount < 5 || text.endsWith('?')) return 0
  const carried = [...new Set(terms)].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0)
  const length = wordCount < 8 ? 0.75 : wordCount > 36 ? 0.6 : wordCount > 26 ? 0.85 : 1
  const place = index < total * 0.15 ? 1.15 : index > total * 0.85 ? 1.1 : 1
  const stands = leaning.test(text) ? 0.55 : 1
  const says = chatter.test(text)
    ? 0.15
    : /\b(?:because|means|never|always|only|is not|reason|why)\b/i.test(text)
      ? 1.2
      : 1
  const person = /\b(?:I|me|my)\b/.test(text) ? 0.8 : 1
  const whole = /[.!…]["”’')\]]*$/.test(text) ? 1 : 0.7
  return (carried / Math.sqrt(wordCount)) * length * place * stands * says * person * whole
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
