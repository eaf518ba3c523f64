/** A transcript as the model reads it: a line for each segment. */
export function linesOf(transcript: { text: string; segments: { text: string }[] | null }): string[] {
  const texts = transcript.segments?.length ? transcript.segments.map(({ text }) => text) : [transcript.text]
  return texts.flatMap(shortLines)
}

export function wordCountOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + wordCount(line), 0)
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

/** More than this in a line and parts could not be cut evenly: some recognisers know no segments. */
const wordsInLine = 50

function shortLines(text: string): string[] {
  const words = wordsOf(text)
  const lines: string[] = []
  for (let start = 0; start < words.length; start += wordsInLine)
    lines.push(words.slice(start, start + wordsInLine).join(' '))
  return lines
}

/** Where words have no spaces between them, two letters count as one. */
function wordCount(line: string): number {
  const unspaced = line.match(/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}]/gu) ?? []
  return wordsOf(line).length + Math.floor(unspaced.length / 2)
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
