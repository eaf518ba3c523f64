import { countFor, isStatement, mainOf, nothing, overviewOf, subjects } from './essence.ts'
import { clauseOf, isChatter, listed, namesIn, pointOf } from './phrasing.ts'
import { best, type Ranked } from './ranking.ts'
import type { Sentence } from './sentences.ts'
import { type Step, stepOf } from './steps.ts'

const emptyStep = {
  action: 'Listen to the recording once more.',
  why_it_matters: nothing,
  details: nothing,
  quote: null,
  mentioned_tools: null,
}

/** What the text asks for, step by step, and where that is little, steps made of what it states. */
export function actionPlan(text: Ranked): unknown {
  const wanted = Math.max(2, countFor(text, 6))
  const asked = text.sentences.map(stepOf).filter((step) => step !== undefined)
  const steps = asked.slice(0, wanted)
  const made = best(text, Math.max(0, Math.min(wanted, 4) - steps.length), isStatement).map(madeStep)
  const all = [...steps, ...made].sort((one, other) => one.sentence.index - other.sentence.index)
  const reasons = new Set<Sentence>()
  return {
    title: `What to do with ${listed(subjects(text, 2)) || 'this'}`,
    next_steps: all.length > 0 ? all.map((step) => nextStep(text, step, reasons)) : [emptyStep],
    overall_takeaway: overviewOf(text),
  }
}

/** A step from a statement that asks for nothing itself. */
function madeStep(sentence: Sentence, at: number): Step {
  const clause = clauseOf(sentence.text)
  const ways = [
    `Keep in mind that ${clause}.`,
    `Tell somebody that ${clause}, and hear what they make of it.`,
    `Find out more about the claim that ${clause}.`,
    `Write down where you have seen for yourself that ${clause}.`,
  ]
  return { sentence, action: ways[at % ways.length] ?? clause }
}

function nextStep(text: Ranked, { sentence, action }: Step, reasons: Set<Sentence>): unknown {
  const why = reasonFor(text, sentence, reasons)
  reasons.add(why)
  const after = text.sentences
    .slice(sentence.index + 1, sentence.index + 3)
    .filter((near) => near !== why && near.wordCount > 2 && !isChatter(near.text))
  const tools = namesIn([sentence, ...after].map(({ text: said }) => said).join(' '))
  return {
    action,
    why_it_matters: pointOf(why.text),
    details: after.length > 0 ? after.map(({ text: said }) => said).join(' ') : sentence.text,
    quote: sentence.text,
    mentioned_tools: tools.length > 0 ? tools : null,
  }
}

/** What was said close by that gives a reason, else the strongest statement there; not the same one twice. */
function reasonFor(text: Ranked, sentence: Sentence, used: ReadonlySet<Sentence>): Sentence {
  const near = text.sentences
    .slice(Math.max(0, sentence.index - 5), sentence.index + 6)
    .filter((other) => other !== sentence && !used.has(other) && stepOf(other) === undefined)
  const reason = near.find(
    ({ text: said, wordCount }) =>
      wordCount > 5 && /\b(?:because|since|so that|this is why|that is why|otherwise|means)\b/i.test(said),
  )
  const [strongest] = near
    .filter(isStatement)
    .sort((one, other) => (text.scores[other.index] ?? 0) - (text.scores[one.index] ?? 0))
  return reason ?? strongest ?? mainOf(text) ?? sentence
}
