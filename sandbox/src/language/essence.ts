import { hasVerb, leans, listed, pointOf } from './phrasing.ts'
import { best, type Ranked } from './ranking.ts'
import { type Sentence, stem } from './sentences.ts'
import { opensAsRequest, stepOf } from './steps.ts'
import { topics } from './topics.ts'

/** For a text that holds no more than a word or two. */
export const nothing = 'There is too little in this text to say more.'

/** Says something on its own: not a request, not a fragment, nothing that leans on what came before. */
export function isStatement(sentence: Sentence): boolean {
  const isRequest = opensAsRequest(sentence.text) || stepOf(sentence) !== undefined
  return hasVerb(sentence.text) && !leans(sentence.text) && !isRequest
}

/** Of the speaker, or of somebody or something named before. */
export function isPersonal({ text }: Sentence): boolean {
  return /\b(?:I|me|my|we|us|our|him|her|it|them)\b/.test(text)
}

/** What it is about, in at most that many words or phrases. */
export function subjects(text: Ranked, count: number): string[] {
  const heading = headingOf(text)
  const others = topics(text, count).filter((topic) => topic.toLowerCase() !== heading?.toLowerCase())
  return heading === undefined ? others : [`“${heading}”`, ...others].slice(0, count)
}

export function titleOf(text: Ranked): string {
  const heading = headingOf(text)
  if (heading !== undefined) return heading
  const named = listed(topics(text, 3))
  return named === '' ? 'A short recording' : named.charAt(0).toUpperCase() + named.slice(1)
}

/** A short text may begin by saying in a word what it is about. */
function headingOf({ sentences }: Ranked): string | undefined {
  const [opening] = sentences
  const isHeading = opening !== undefined && opening.wordCount < 4 && sentences.length < 12
  return isHeading ? pointOf(opening.text).replace(/\.$/, '') : undefined
}

export function overviewOf(text: Ranked): string {
  const main = mainOf(text)
  return main ? pointOf(main.text) : (text.sentences[0]?.text ?? nothing)
}

/** The sentence that says most of what the text is about. */
export function mainOf(text: Ranked): Sentence | undefined {
  const strong = new Set(text.terms.slice(0, 6).map(({ word }) => stem(word.toLowerCase())))
  const [main] = best(text, 8, isStatement)
    .map((sentence, at) => ({
      sentence,
      worth:
        sentence.terms.filter((term) => strong.has(term)).length - at / 3 - (isPersonal(sentence) ? 2 : 0),
    }))
    .sort((one, other) => other.worth - one.worth)
  return main?.sentence ?? best(text, 1)[0]
}

/** How many of something to make: more for a longer text, at most `greatest`. */
export function countFor({ sentences }: Ranked, greatest: number): number {
  return Math.max(1, Math.min(greatest, Math.round(Math.sqrt(sentences.length) * 1.1)))
}
