import { actionPlan } from './action-plan.ts'
import { countFor, isStatement, nothing, overviewOf, titleOf } from './essence.ts'
import { isChatter, leans, pointOf, shortened } from './phrasing.ts'
import { thoughtProvoking } from './questions.ts'
import { best, type Ranked, spread } from './ranking.ts'
import type { Sentence } from './sentences.ts'

export const shapes = ['smart_summary', 'action_plan', 'thought_provoking', 'transcript_notes'] as const
export type Shape = (typeof shapes)[number]

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
      return { points: pointsOf(text, countFor(text, 12)).map(({ point, quote }) => ({ point, quote })) }
  }
}

function smartSummary(text: Ranked): unknown {
  const main = overviewOf(text)
  const count = countFor(text, 7)
  const highlights = pointsOf(text, count, (sentence) => pointOf(sentence.text) !== main)
  const told = new Set([main, ...highlights.flatMap(({ said, quote }) => [said, pointOf(quote ?? '')])])
  const takeaways = best(
    text,
    Math.max(2, Math.ceil(count * 0.7)),
    (sentence) => isStatement(sentence) && !told.has(pointOf(sentence.text)),
  )
  const points = takeaways.sort((one, other) => one.index - other.index).map((one) => pointOf(one.text))
  return {
    title: titleOf(text),
    one_sentence_overview: main,
    highlights: highlights.map(({ point, quote }) => ({ point, quote })),
    key_takeaways: points.length > 0 ? points : [main],
  }
}

type Point = { point: string; said: string; quote: string | null }

function pointsOf(text: Ranked, count: number, isFit?: (sentence: Sentence) => boolean): Point[] {
  const points = spread(text, count, isFit).map((sentence) => ({
    point: shortened(sentence.text),
    said: pointOf(sentence.text),
    quote: companionOf(text, sentence),
  }))
  const said = text.sentences[0]?.text ?? nothing
  return points.length > 0 ? points : [{ point: said, said, quote: null }]
}

/** What was said right around the point and goes on with it; the point's own words where nothing does. */
function companionOf({ sentences }: Ranked, { index, text, terms }: Sentence): string {
  const isFit = (sentence: Sentence | undefined): sentence is Sentence =>
    sentence !== undefined && sentence.wordCount >= 6 && sentence.wordCount <= 40 && !isChatter(sentence.text)
  const shares = (sentence: Sentence) => sentence.terms.some((term) => terms.includes(term))
  const [before, after] = [sentences[index - 1], sentences[index + 1]]
  // Where the point is a shorter form of what was said, its own words say the rest.
  if (shortened(text) !== pointOf(text)) return text
  if (isFit(after) && (leans(after.text) || shares(after))) return after.text
  return isFit(before) && shares(before) && leans(text) ? before.text : text
}
