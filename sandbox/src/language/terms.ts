import { type Sentence, stem, wordsOf } from './sentences.ts'
import { isStopword } from './words.ts'

/** `word` as it is written in mid-sentence, most often. */
export type Term = { word: string; count: number; weight: number }

type Entry = {
  shapes: Map<string, number>
  sentences: Set<number>
  count: number
  asNoun: number
  asVerb: number
}

const beforeNoun =
  /^(?:the|a|an|this|that|these|those|his|her|its|their|your|my|our|of|in|on|with|from|for|every|each|no|two|three|four|five|some|many|few|most|by|at)$/
const beforeVerb =
  /^(?:to|i|you|he|she|it|we|they|who|which|that|can|could|will|would|should|must|may|might|cannot|not|never|nobody|don't|didn't|doesn't)$/

/** Words by how often they come, each sentence once, so that what runs through the text counts for more. */
export function termsOf(sentences: readonly Sentence[]): Term[] {
  const found = new Map<string, Entry>()
  for (const sentence of sentences) addTo(found, sentence)
  return [...found.values()]
    .map(({ shapes, sentences: where, count, asNoun, asVerb }) => {
      const word = [...shapes].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''
      const noun =
        asVerb > asNoun || isVerbOrAdverb(word) ? 0.3 : asNoun > 0 || /^\p{Lu}/u.test(word) ? 1 : 0.6
      return { word, count, weight: noun * Math.log2(1 + where.size) * (word.length > 3 ? 1 : 0.75) }
    })
    .sort((one, other) => other.weight - one.weight)
}

function addTo(found: Map<string, Entry>, { text, index }: Sentence): void {
  const shapes = text.replaceAll(/['’]s\b/g, '').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
  wordsOf(text).forEach((word, at, words) => {
    if (isStopword(word)) return
    const key = stem(word)
    const entry: Entry = found.get(key) ?? {
      shapes: new Map(),
      sentences: new Set(),
      count: 0,
      asNoun: 0,
      asVerb: 0,
    }
    const before = words[at - 1] ?? ''
    // The first word of a sentence is capitalised whatever it is.
    const shape = at === 0 ? word : (shapes[at] ?? word)
    entry.count += 1
    entry.sentences.add(index)
    entry.shapes.set(shape, (entry.shapes.get(shape) ?? 0) + 1)
    if (beforeNoun.test(before)) entry.asNoun += 1
    if (beforeVerb.test(before) && before !== 'that') entry.asVerb += 1
    found.set(key, entry)
  })
}

function isVerbOrAdverb(word: string): boolean {
  return /(?:ly|ing|ed)$/.test(word) && word.length > 4
}
