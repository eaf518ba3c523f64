/** More than this in a line and parts could not be cut evenly: some recognisers know no segments. */
export const wordsInLine = 50
/** Letters; what is longer is cut inside, for it has no spaces where its words end, or is no word. */
const longestWord = 80

/** Notes of a part take at least this many points, and a point with its quote about this many words. */
const fewestPoints = 3
const mostPoints = 15
const wordsInPoint = 60

/** So many that the workflow's history stays under 10,000 events, however often each of them is asked again. */
export const mostParts = 100

/** A transcript as the model reads it: a line for each segment. */
export function linesOf(transcript: { text: string; segments: { text: string }[] | null }): string[] {
  const texts = transcript.segments?.length ? transcript.segments.map(({ text }) => text) : [transcript.text]
  return texts.flatMap(shortLines)
}

export function wordCountOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + wordCount(line), 0)
}

/**
 * In how many parts lines go to a model that takes `partWords` at a time. Parts are larger than that only where there
 * would be so many that their notes, in turn, would not fit one question.
 */
export function partsFor(lines: string[], partWords: number): number {
  const words = wordCountOf(lines)
  if (words <= partWords) return 1
  const most = Math.max(2, Math.min(mostParts, Math.floor(partWords / (fewestPoints * wordsInPoint))))
  // A part ends with a line, up to half a line early or late at both its ends.
  return Math.min(most, Math.ceil(words / (partWords - wordsInLine)))
}

/** How many points may be noted of each part, so that the notes of all are about as long as one part. */
export function pointsPerPart(parts: number, partWords: number): number {
  return Math.max(fewestPoints, Math.min(mostPoints, Math.floor(partWords / parts / wordsInPoint)))
}

/** The lines of part number `part` of `parts` that are about equally long. Each line is in exactly one of them. */
export function partOf(lines: string[], part: number, parts: number): string[] {
  const length = wordCountOf(lines) / parts
  let wordsBefore = 0
  return lines.filter((line) => {
    const words = wordCount(line)
    const middle = wordsBefore + words / 2
    wordsBefore += words
    return Math.min(parts - 1, Math.floor(middle / length)) === part
  })
}

function shortLines(text: string): string[] {
  const lines: string[] = []
  let line = ''
  let words = 0
  for (const piece of piecesOf(text)) {
    const more = wordCount(piece)
    if (words + more > wordsInLine) {
      lines.push(line)
      line = ''
      words = 0
    }
    line = line === '' ? piece.trimStart() : line + piece
    words += more
  }
  return line === '' ? lines : [...lines, line]
}

/** The words of a text, each with a space before it; one that is too long in several pieces, with none. */
function piecesOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const [first = '', ...rest] = word.length <= longestWord ? [word] : cutInside(word)
    return [` ${first}`, ...rest]
  })
}

const run = new RegExp(`.{1,${longestWord}}`, 'gsu')
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Cut between the words that a dictionary finds in it, and anywhere where it finds none. */
function cutInside(word: string): string[] {
  const pieces: string[] = []
  for (const { segment } of segmenter.segment(word)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + segment.length <= longestWord)
      pieces[pieces.length - 1] = last + segment
    else pieces.push(...(segment.match(run) ?? []))
  }
  return pieces
}

/** Where words have no spaces between them, two letters count as one. */
function wordCount(line: string): number {
  const unspaced = line.match(unspacedLetter) ?? []
  return (
    wordsOf(line).reduce((sum, word) => sum + Math.ceil(word.length / longestWord), 0) + unspaced.length / 2
  )
}

const unspacedLetter =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/gu

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
