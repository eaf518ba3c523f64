import { isStopword } from './words.ts'
import { wordsOf } from './sentences.ts'

const openings =
  /^(?:(?:and|but|so|now|well|okay|yes|no|also|then|first|finally|again|still|of course|in fact|for example|you see|you know|i mean|i think|and then|even so|after all|as it happens|the point is|the thing is)(?:,\s*|\s+(?=(?:the|a|an|if|when|in|on|at|it|they|we|you|he|she|there|this|that|most|some|every|each|no|half|one|people)\b)))+/i

/** Openings that lean on the sentence before. */
const leaning =
  /^(?:it|its|they|them|their|he|she|his|her|this|that|these|those|such|and|but|or|so|then|there|here|which|both|neither|not|one)\b/i
const chatter =
  /\b(?:welcome (?:to|back)|thanks? (?:you )?for (?:listening|joining|being)|subscribe|sponsor|good (?:night|morning|evening) (?:from|and)|goodbye|see you|next (?:week|time|episode)|my name is|i'm your host|in this episode|let's get (?:started|into)|here is what|now for|so here is)\b/i
const finiteVerb =
  /\b(?:is|are|was|were|am|has|have|had|do|does|did|can|cannot|could|will|would|shall|should|must|may|might|isn't|aren't|don't|doesn't|didn't|can't|won't|it's|that's|took|made|found|told|held|went|came|saw|knew|gave|kept|left|let|lets|put|said|says|thought|began|became|brought|built|cost|costs|drew|fell|felt|got|grew|heard|kept|lost|meant|means|met|paid|ran|sent|set|sat|stood|spent|wrote|won|takes|makes|goes|comes|needs|gets|gives|turns|tells|holds|keeps|stands|falls|works|needed|suggested)\b|\b\p{Ll}{3,}ed\b/iu

export function leans(text: string): boolean {
  return leaning.test(pointOf(text))
}

/** Greetings, names of the show and the like: words around what is said. */
export function isChatter(text: string): boolean {
  return chatter.test(text) || /\b[Tt]his is [A-Z]/.test(text)
}

/** Whether it says something of something, as far as its words show; in another language than English they do not. */
export function hasVerb(text: string): boolean {
  return (
    finiteVerb.test(text) &&
    !/^(?:\S+ ){0,6}\S+, (?:spent|made|given|told|held|kept|left|put|set)\b/.test(text)
  )
}

/** The sentence as a point of a list: no opening that leans on what came before, one full stop. */
export function pointOf(text: string): string {
  const bare = text.replace(openings, '').replace(/[.;:,…\s]+$/, '')
  return sentenceCase(bare === '' ? text : bare)
}

/** The point without what only adds to it, where what is left still says something. */
export function shortened(text: string): string {
  const point = pointOf(text)
  if (point.split(' ').length < 15) return point
  const cuts = [
    ...point.matchAll(/, (?:which|who|because|so|and|but|sometimes|from|since|while|though|as)\b/g),
  ]
  const heads = cuts.map(({ index }) => point.slice(0, index)).filter((head) => head.split(' ').length >= 6)
  const opensWithCondition = /^(?:if|when|while|as|because|since|although|though|after|before)\b/i.test(point)
  const head = opensWithCondition ? undefined : heads.find((part) => hasVerb(part))
  return head === undefined ? point : sentenceCase(head)
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
  if (/^[A-Z][a-z]+$/.test(second) || /^.+[A-Z]/.test(first)) return true
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
  if (/, (?:it|they|he|she|we|you|which|who|and|so|but)\b/.test(rest)) return undefined
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

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
}
