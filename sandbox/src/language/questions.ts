import { countFor, isPersonal, isStatement, mainOf, nothing, subjects } from './essence.ts'
import { clauseOf, isChatter, listed, pointOf, questionOf } from './phrasing.ts'
import { best, type Ranked, spread } from './ranking.ts'
import { wordsOf } from './sentences.ts'

/** Longer clauses make questions that nobody reads to their end. */
const greatestFramedWords = 26

/** Questions made of what the text states, its own questions among them. */
export function thoughtProvoking(text: Ranked): unknown {
  const count = Math.max(3, countFor(text, 6))
  const own = text.sentences
    .filter(({ text: said, wordCount }) => said.endsWith('?') && wordCount > 5)
    .slice(0, 2)
    .map(({ text: said }) => pointOf(said))
  const turned = best(text, count * 2, isStatement)
    .map(({ text: said }) => ({ said, question: questionOf(said) }))
    .filter(({ question }) => question !== undefined)
    .slice(0, Math.ceil(count / 2))
  const used = new Set(turned.map(({ said }) => said))
  const framed = spread(
    text,
    count,
    (sentence) =>
      isStatement(sentence) &&
      !isPersonal(sentence) &&
      sentence.wordCount <= greatestFramedWords &&
      !used.has(sentence.text),
  ).map(({ text: said }, at) => framedQuestion(said, at))
  const [subject = 'this', other = subject] = subjects(text, 2)
  const general = [
    `What would you ask the person who said this about ${subject}?`,
    `What did it change in how you see ${other}?`,
    'What was left unsaid here?',
  ]
  const made = [...turned.map(({ question }) => question ?? ''), ...own, ...framed].slice(0, count)
  const questions = made.length < 3 ? [...made, ...general].slice(0, 3) : made
  return {
    title: `Questions about ${listed(subjects(text, 2)) || 'a short recording'}`,
    deep_questions: questions,
    rapid_fire_prompts: promptsOf(text),
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

function promptsOf(text: Ranked): string[] {
  const [one, two, three, four] = subjects(text, 4)
  const endings = best(text, 16)
    .map(({ text: said }) => /^(.{18,90}?),\s.{12,}$/.exec(pointOf(said))?.[1])
    .filter((start) => start !== undefined && wordsOf(start).length >= 5)
    .slice(0, 2)
    .map((start) => `Finish the sentence: “${start ?? ''}, …”`)
  return [
    ...(one === undefined ? [] : [`${capitalised(one)}: what comes to mind first?`]),
    ...(two === undefined ? [] : [`What did you believe about ${two} before you heard this?`]),
    ...endings,
    ...(three === undefined || four === undefined
      ? []
      : [`${capitalised(three)} or ${four}: which would you keep, and why?`]),
    'Say the main point in five words.',
  ]
}

function insightOf(text: Ranked): string {
  const spoken = text.sentences.filter((sentence) => sentence.wordCount >= 5 && !isChatter(sentence.text))
  const [opening, ending] = [spoken[0], spoken.at(-1)]
  const main = mainOf(text)
  const [first] = [...text.terms].sort((one, other) => other.count - one.count)
  if (!main || !opening || !ending || !first) return text.sentences[0]?.text ?? nothing
  const word =
    first.count > 1 ? `The word that keeps coming back is “${first.word}”, ${first.count} times. ` : ''
  const way = `It sets out from “${opening.text}” and comes to rest on “${ending.text}”`
  if (opening === ending) return `${word}All of it turns on one remark: “${main.text}”`
  if (main === opening || main === ending) return word + way
  return `${word}${way} What carries it from one to the other is this: “${main.text}”`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
