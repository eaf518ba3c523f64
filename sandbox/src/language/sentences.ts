import { isStopword } from './words.ts'

export type Sentence = {
  /** Verbatim. */
  text: string
  /** From 0. */
  index: number
  /** Content words, stemmed. */
  terms: string[]
  wordCount: number
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const abbreviation = /(?:^|\s)(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|e\.g|i\.e)\.$/
/** Speech without full stops is cut at this many words. */
const greatestWords = 60
const pieceWords = 24
/** Nor is a sentence longer than this, in a script without spaces. */
const greatestCharacters = 800

export function sentencesOf(lines: readonly string[]): Sentence[] {
  const texts = joined(lines).flatMap(split).flatMap(cutLong)
  return texts.map((text, index) => ({
    text,
    index,
    terms: wordsOf(text)
      .filter((word) => !isStopword(word))
      .map(stem),
    wordCount: wordsOf(text).length,
  }))
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })

export function wordsOf(text: string): string[] {
  if (unspaced.test(text)) {
    return [...wordSegmenter.segment(text)].filter((part) => part.isWordLike).map(({ segment }) => segment)
  }
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
  return words.map((word) => word.replaceAll('’', "'"))
}

/** The same for `rod` and `rods`, `opened` and `opens`; good enough to count by. */
export function stem(word: string): string {
  const singular = word.replace(/'s$/, '')
  if (singular.length <= 3) return singular
  if (/[^aeious]ies$/.test(singular)) return `${singular.slice(0, -3)}y`
  if (/(?:[sx]|ch|sh)es$/.test(singular)) return singular.slice(0, -2)
  if (/[^su]s$/.test(singular)) return singular.slice(0, -1)
  return singular
}

/** Lines that break off in mid-sentence belong together. */
function joined(lines: readonly string[]): string[] {
  const paragraphs: string[] = []
  for (const line of lines) {
    const last = paragraphs.at(-1)
    const goesOn = last !== undefined && !/[.?!…:;]["”’')\]]*$/.test(last) && /^[\p{Ll}\p{N}]/u.test(line)
    if (goesOn) paragraphs[paragraphs.length - 1] = `${last} ${line}`
    else paragraphs.push(line)
  }
  return paragraphs
}

function split(paragraph: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(paragraph)) {
    const last = sentences.at(-1)
    if (last !== undefined && abbreviation.test(last.trimEnd()))
      sentences[sentences.length - 1] = last + segment
    else sentences.push(segment)
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')
}

function cutLong(sentence: string): string[] {
  const words = sentence.split(/\s+/)
  if (words.length > greatestWords) {
    return Array.from({ length: Math.ceil(words.length / pieceWords) }, (_, at) =>
      words.slice(at * pieceWords, (at + 1) * pieceWords).join(' '),
    ).flatMap(cutLong)
  }
  return sentence.length <= greatestCharacters ? [sentence] : (sentence.match(/[\s\S]{1,200}/gu) ?? [])
}
