/** Times are in seconds from the start of the audio. */
export type Word = { word: string; start: number; end: number }
export type Segment = { text: string; start: number; end: number }
export type Transcript = {
  text: string
  /** The language's English name in lower case, as OpenAI answers it. */
  language: string
  durationSeconds: number
  words: Word[]
  segments: Segment[]
}

const longestSegmentSeconds = 30
const longestPauseSeconds = 2
const sentenceEnd = /[.!?…。！？]["'”’)\]»」』]*$/u
const abbreviation = /^["'“‘(]*(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|no|\p{L})\.$/iu

/**
 * Groups words into segments for reading: a sentence each, or less where the speaker pauses or a sentence
 * has no end. The text between two words is taken from `text`, since not every script puts a space there.
 */
export const segmentsOf = (words: readonly Word[], text: string): Segment[] => {
  const segments: Segment[] = []
  let open: { from: number; to: number; start: number; end: number } | undefined
  let cursor = 0

  for (const [index, word] of words.entries()) {
    const at = text.indexOf(word.word, cursor)
    const from = at === -1 ? cursor : at
    cursor = from + word.word.length
    open = open
      ? { ...open, to: cursor, end: word.end }
      : { from, to: cursor, start: word.start, end: word.end }

    const next = words[index + 1]
    const endsSentence = sentenceEnd.test(word.word) && !abbreviation.test(word.word)
    const pauses = next !== undefined && next.start - word.end > longestPauseSeconds
    if (endsSentence || pauses || !next || word.end - open.start >= longestSegmentSeconds) {
      segments.push({ text: text.slice(open.from, open.to).trim(), start: open.start, end: open.end })
      open = undefined
    }
  }
  return segments
}

const blank = '[BLANK_AUDIO]'

/** Drops what Whisper says of silence, and puts the words' times in order and within the audio. */
export const tidyWords = (raw: readonly Word[], durationSeconds: number): Word[] => {
  let earliest = 0
  const words: Word[] = []
  for (const { word, start, end } of raw) {
    const text = word.replaceAll(blank, '').trim()
    if (text === '') continue
    const from = Math.min(Math.max(start, earliest), durationSeconds)
    words.push({ word: text, start: from, end: Math.min(Math.max(end, from), durationSeconds) })
    earliest = from
  }
  return words
}

export const tidyText = (raw: string): string => raw.replaceAll(blank, ' ').replace(/\s+/g, ' ').trim()
