import { clauseOf, listed, namesIn, pointOf, questionOf, sentenceCase, topics } from './phrasing.ts'
import { best, type Ranked, spread } from './ranking.ts'
import type { Sentence } from './sentences.ts'
import { imperatives } from './words.ts'

export const shapes = ['smart_summary', 'action_plan', 'thought_provoking', 'transcript_notes'] as const
export type Shape = (typeof shapes)[number]

const nothing = 'There is too little in this text to say more.'

/** One of the shapes that Earmark asks for, by their names; every quote is a sentence of the text, letter for letter. */
export function summaryOf(shape: Shape, text: Ranked): unknown {
  switch (shape) {
    case 'smart_summary':
      return smartSummary(text)
    case 'action_plan':
      return actionPlan(text)
    case 'thought_provoking':
      return thoughtProvoking(text)
    case 'transcript_notes':
      return { points: pointsOf(text, Math.min(12, countFor(text, 12))) }
  }
}

export function titleOf(text: Ranked): string {
  const [first, ...others] = topics(text, 3)
  if (first === undefined) return 'A short recording'
  return others.length === 0 ? sentenceStart(first) : `${sentenceStart(first)}, ${listed(others)}`
}

export function overviewOf(text: Ranked): string {
  const [main] = best(text, 1)
  return main ? pointOf(main.text) : (text.sentences[0]?.text ?? nothing)
}

/** More for a longer text, at most `greatest`. */
function countFor({ sentences }: Ranked, greatest: number): number {
  return Math.max(1, Math.min(greatest, Math.round(Math.sqrt(sentences.length) * 1.1)))
}

function pointsOf(text: Ranked, count: number, isFit?: (sentence: Sentence) => boolean) {
  const points = spread(text, count, isFit).map((sentence) => ({
    point: pointOf(sentence.text),
    quote: companionOf(text, sentence),
  }))
  return points.length > 0 ? points : [{ point: text.sentences[0]?.text ?? nothing, quote: null }]
}

/** What was said right around the point and bears it out; the point's own words where nothing does. */
function companionOf({ sentences, scores }: Ranked, { index, text }: Sentence): string {
  const near = [sentences[index + 1], sentences[index - 1]]
    .filter((sentence) => sentence !== undefined)
    .filter(({ wordCount }) => wordCount >= 6 && wordCount <= 40)
    .sort((one, other) => (scores[other.index] ?? 0) - (scores[one.index] ?? 0))
  return near[0]?.text ?? text
}

function smartSummary(text: Ranked): unknown {
  const main = overviewOf(text)
  const count = countFor(text, 7)
  const highlights = pointsOf(text, count, (sentence) => pointOf(sentence.text) !== main)
  const told = new Set([
    main,
    ...highlights.flatMap(({ point, quote }) => [point, quote === null ? '' : pointOf(quote)]),
  ])
  const takeaways = best(
    text,
    Math.max(2, Math.ceil(count * 0.7)),
    ({ text: said }) => !told.has(pointOf(said)),
  )
  const points = takeaways
    .sort((one, other) => one.index - other.index)
    .map(({ text: said }) => pointOf(said))
  return {
    title: titleOf(text),
    one_sentence_overview: main,
    highlights,
    key_takeaways: points.length > 0 ? points : [main],
  }
}

const advice =
  /\b(?:you|we) (?:should|need to|have to|must|can|could)\s+(?!be\b|not\b|have\b|see\b|never\b|hardly\b)(.+)$/i

type Step = { sentence: Sentence; action: string }

function stepOf(sentence: Sentence): Step | undefined {
  const point = pointOf(sentence.text)
  const [first = '', second = ''] = point.toLowerCase().split(/[\s,.]+/)
  if (sentence.wordCount < 4 || point.endsWith('?') || sentence.wordCount > 40) return undefined
  const afterCondition = /^(?:if|when|before|after|at|on)\b[^,]*,\s*(\w+)/i.exec(point)?.[1]?.toLowerCase()
  const isAsked =
    imperatives.has(first) ||
    (first === "don't" && imperatives.has(second)) ||
    imperatives.has(afterCondition ?? '')
  const isNoun = /^(?:is|are|was|were|of|has|had|and|would|will|can|that|which)$/.test(second)
  if (isAsked && !isNoun) return { sentence, action: point }
  const [, asked] = advice.exec(point) ?? []
  if (asked === undefined || /^(?:say|tell|argue|imagine|hear)\b/.test(asked)) return undefined
  return { sentence, action: sentenceCase(asked.replace(/[.\s]+$/, '')) }
}

function actionPlan(text: Ranked): unknown {
  const asked = text.sentences.map(stepOf).filter((step) => step !== undefined)
  const wanted = Math.max(2, countFor(text, 6))
  const steps = asked.slice(0, wanted)
  const taken = new Set(steps.map(({ sentence }) => sentence.index))
  const others = best(text, Math.max(0, Math.min(wanted, 4) - steps.length), ({ index }) => !taken.has(index))
  const made = others.map((sentence, at) => ({ sentence, action: madeStep(sentence, at) }))
  const all = [...steps, ...made].sort((one, other) => one.sentence.index - other.sentence.index)
  return {
    title: `What to do with ${listed(topics(text, 2)) || 'this'}`,
    next_steps: all.length > 0 ? all.map((step) => nextStep(text, step)) : [emptyStep],
    overall_takeaway: overviewOf(text),
  }
}

const emptyStep = {
  action: 'Listen to the recording once more.',
  why_it_matters: nothing,
  details: nothing,
  quote: null,
  mentioned_tools: null,
}

/** A step from a statement that asks for nothing itself. */
function madeStep({ text }: Sentence, at: number): string {
  const clause = clauseOf(text)
  const ways = [
    `Keep in mind that ${clause}.`,
    `Tell somebody that ${clause}, and hear what they make of it.`,
    `Find out more about the claim that ${clause}.`,
    `Write down where you have seen for yourself that ${clause}.`,
  ]
  return ways[at % ways.length] ?? ''
}

function nextStep(text: Ranked, { sentence, action }: Step): unknown {
  const { sentences } = text
  const around = sentences
    .slice(Math.max(0, sentence.index - 3), sentence.index + 4)
    .filter((near) => near !== sentence)
  const reason = around.find(({ text: said }) =>
    /\b(?:because|since|so that|this is why|that is why|otherwise|means)\b/i.test(said),
  )
  const [strongest] = [...around].sort(
    (one, other) => (text.scores[other.index] ?? 0) - (text.scores[one.index] ?? 0),
  )
  const why = reason ?? strongest ?? sentence
  const after = sentences
    .slice(sentence.index + 1, sentence.index + 3)
    .filter((near) => near !== why && near.wordCount > 2)
  const details = after.length > 0 ? after.map(({ text: said }) => said).join(' ') : sentence.text
  const tools = namesIn([sentence, ...after].map(({ text: said }) => said).join(' '))
  return {
    action,
    why_it_matters: pointOf(why.text),
    details,
    quote: sentence.text,
    mentioned_tools: tools.length > 0 ? tools : null,
  }
}

function thoughtProvoking(text: Ranked): unknown {
  const count = Math.max(3, countFor(text, 6))
  const asked = text.sentences
    .filter(({ text: said, wordCount }) => said.endsWith('?') && wordCount > 5)
    .slice(0, 2)
    .map(({ text: said }) => pointOf(said))
  const turned = best(text, count * 2)
    .map(({ text: said }) => ({ said, question: questionOf(said) }))
    .filter(({ question }) => question !== undefined)
    .slice(0, Math.ceil(count / 2))
  const used = new Set(turned.map(({ said }) => said))
  const framed = spread(text, count, ({ text: said }) => !used.has(said)).map(({ text: said }, at) =>
    framedQuestion(said, at),
  )
  const questions = [...turned.map(({ question }) => question ?? ''), ...asked, ...framed].slice(
    0,
    Math.max(3, count),
  )
  const words = topics(text, 4)
  return {
    title: `Questions about ${listed(topics(text, 2)) || 'a short recording'}`,
    deep_questions: questions.length > 0 ? questions : ['What was left unsaid here?'],
    rapid_fire_prompts: promptsOf(text, words),
    contextual_insight: insightOf(text),
  }
}

function framedQuestion(said: string, at: number): string {
  const clause = clauseOf(said)
  const frames = [
    `What follows, in your own life, from the idea that ${clause}?`,
    `Who would disagree that ${clause}, and what would they say?`,
    `Where else have you seen that ${clause}?`,
    `What would have to change before it was no longer true that ${clause}?`,
    `If you had only a minute, how would you explain that ${clause}?`,
  ]
  return frames[at % frames.length] ?? ''
}

function promptsOf(text: Ranked, words: readonly string[]): string[] {
  const endings = best(text, 12)
    .map(({ text: said }) => /^(.{18,90}?),\s.{12,}$/.exec(pointOf(said))?.[1])
    .filter((start) => start !== undefined)
    .slice(0, 2)
    .map((start) => `Finish the sentence: “${start}, …”`)
  const [one, two, three, four] = words
  return [
    ...(one === undefined ? [] : [`${sentenceStart(one)}: what comes to mind first?`]),
    ...(two === undefined ? [] : [`What did you believe about ${two} before you heard this?`]),
    ...endings,
    ...(three === undefined || four === undefined
      ? []
      : [`${sentenceStart(three)} or ${four}: which would you keep, and why?`]),
    'Say the main point in five words.',
  ]
}

function insightOf(text: Ranked): string {
  const spoken = text.sentences.filter(({ wordCount }) => wordCount >= 5)
  const [opening, ending] = [spoken[0], spoken.at(-1)]
  const [main] = best(text, 1)
  const [first] = text.terms
  if (!main || !opening || !ending || !first) return text.sentences[0]?.text ?? nothing
  const word =
    first.count > 1 ? `The word that keeps coming back is “${first.word}”, ${first.count} times. ` : ''
  if (opening === ending) return `${word}All of it turns on one remark: “${main.text}”`
  return `${word}It sets out from “${opening.text}” and comes to rest on “${ending.text}” What carries it from one to the other is this: “${main.text}”`
}

function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
