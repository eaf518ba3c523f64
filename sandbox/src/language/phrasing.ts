import { isStopword } from './words.ts'
import type { Ranked } from './ranking.ts'
import { stem, wordsOf } from './sentences.ts'

const openings =
  /^(?:(?:and|but|so|now|well|okay|yes|no|also|then|first|finally|again|still|of course|in fact|for example|you see|you know|i mean|i think|and then|even so|after all|as it happens|the point is|the thing is)(?:,\s*|\s+(?=(?:the|a|an|if|when|in|on|at|it|they|we|you|he|she|there|this|that|most|some|every|each|no|half|one|people)\b)))+/i

/** The sentence as a point of a list: no opening that leans on what came before, one full stop. */
export function pointOf(text: string): string {
  const bare = text.replace(openings, '').replace(/[.;:,…\s]+$/, '')
  return sentenceCase(bare === '' ? text : bare)
}

export function sentenceCase(text: string): string {
  const ended = /[.!?…]["”’')\]]*$/.test(text) ? text : `${text}.`
  return ended.charAt(0).toUpperCase() + ended.slice(1)
}

/** As a clause in the middle of another sentence: `the rods take over`. */
export function clauseOf(text: string): string {
  const point = pointOf(text).replace(/[.!…]+$/, '')
  const [first = ''] = point.split(/[\s,]/, 1)
  const bare = first.toLowerCase().replace(/'s$/, '')
  const isCommon = isStopword(bare) ? first !== 'I' && !first.startsWith("I'") : !isName(first, point)
  return isCommon ? point.charAt(0).toLowerCase() + point.slice(1) : point
}

/** A first word that could be a name stays as it is; common plurals and words with a usual ending do not. */
function isName(first: string, point: string): boolean {
  const [, second = ''] = point.split(/\s+/)
  if (/^[A-Z][a-z]+$/.test(second)) return true
  if (/(?:s|tion|ness|ment|ity|ing|ed|ly|ers?)$/.test(first) && /^[a-z]+$/.test(second)) return false
  return !/^(?:is|are|was|were|has|have|can|will|of|in|on|that|and|does|do|did|takes?|makes?)$/.test(second)
    ? !/^[a-z]/.test(second)
    : false
}

const auxiliary =
  /^(.{2,60}?)\s(is|are|was|were|can|cannot|can't|could|will|would|should|must|has to|isn't|aren't)\s(.+)$/

/** A statement turned into a question, or undefined where English does not let it turn easily. */
export function questionOf(text: string): string | undefined {
  const clause = clauseOf(text)
  const [, subject = '', verb = '', rest = ''] = auxiliary.exec(clause) ?? []
  const isPlain = subject !== '' && !/[,;:“"]/.test(subject) && wordsOf(subject).length <= 5
  const leads =
    /^(?:if|when|while|as|because|since|although|though|in|on|at|for|by|to|with|what|who|how|after|before|it|this|that|there|here|which|they|he|she|i|we|my|our|nobody|most of|one|not|so)\b/i
  if (!isPlain || leads.test(subject) || /\b(?:that|which|who|whatever|where)\b/.test(subject))
    return undefined
  if (wordsOf(rest).length < 2 || wordsOf(rest).length > 22 || /\bI\b|\bmy\b/.test(clause)) return undefined
  const asked: Record<string, string> = {
    cannot: 'can',
    "can't": 'can',
    "isn't": 'is',
    "aren't": 'are',
    'has to': 'does',
  }
  const lead = asked[verb] ?? verb
  const negated = verb === 'cannot' || verb.endsWith("n't") ? ' not' : ''
  const tail = verb === 'has to' ? `have to ${rest}` : rest
  return `Why ${lead} ${subject}${negated} ${tail}?`
}

/** Names in it: capitalised in mid-sentence, or quoted. */
export function namesIn(text: string): string[] {
  const inside = [
    ...text.matchAll(/(?<=[\p{Ll},;]\s)(?:the\s)?(\p{Lu}[\p{L}\p{N}'-]+(?:\s\p{Lu}[\p{L}\p{N}'-]+)*)/gu),
  ]
  const quoted = [...text.matchAll(/[“"]([^“”"]{2,40})[”"]/g)]
  const names = [...inside, ...quoted].map(([, name = '']) => name).filter((name) => !/^I(?:'|$)/.test(name))
  return [...new Set(names)]
}

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

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}
