import { pointOf, sentenceCase } from './phrasing.ts'
import type { Sentence } from './sentences.ts'
import { imperatives } from './words.ts'

export type Step = { sentence: Sentence; action: string }

const advice = /\b(?:you|we) (?:should|need to|have to|must|ought to)\s+(?!be\b|not\b|have\b|never\b)(.+)$/i
/** `Take it away and you have lost it` asks for nothing. */
const conditional = /\band (?:you|the|it|they|we|there|people|nobody|nearly|almost|everybody|everything)\b/i

/** What follows a verb that is a noun here: `Salt is cheap`. */
const asSubject = /^(?:is|are|was|were|of|has|had|and|would|will|can|that|which)$/

/** Whether it opens with a verb, as requests do, and `Salt it, and it goes soft` does too. */
export function opensAsRequest(text: string): boolean {
  const [first = '', second = ''] = pointOf(text)
    .toLowerCase()
    .split(/[\s,.]+/)
  return imperatives.has(first === "don't" ? second : first) && !asSubject.test(second)
}

/** What a sentence asks of its listener, where it asks for something. */
export function stepOf(sentence: Sentence): Step | undefined {
  const point = pointOf(sentence.text)
  const { wordCount } = sentence
  if (wordCount < 4 || wordCount > 40 || point.endsWith('?') || conditional.test(point)) return undefined
  const afterCondition = /^(?:if|when|before|after|at|on)\b[^,]*,\s*(\w+)/i.exec(point)?.[1]?.toLowerCase()
  const isAsked = opensAsRequest(point) || imperatives.has(afterCondition ?? '')
  const isVague = /\b(?:it|them|that)\b/.test(point) && wordCount < 8
  if (isAsked && !isVague) return { sentence, action: point }
  const [, asked] = advice.exec(point) ?? []
  return asked === undefined ? undefined : { sentence, action: sentenceCase(asked.replace(/[.\s]+$/, '')) }
}
