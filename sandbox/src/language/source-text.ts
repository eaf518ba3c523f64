export type Message = { role: string; content: string }

/** The lines to work on: of `<transcript>`, else of `<notes>`, else of the last thing the user said. */
export function sourceLines(messages: readonly Message[]): string[] {
  const all = messages.map(({ content }) => content).join('\n')
  const transcript = between(all, 'transcript')
  if (transcript !== undefined) return linesOf(transcript)
  const notes = between(all, 'notes')
  if (notes !== undefined) return quotesIn(notes) ?? linesOf(notes)
  return linesOf(messages.findLast(({ role }) => role === 'user')?.content ?? '')
}

/** Everything between the tags, however often they come; an instruction may name the tag before it is used. */
function between(text: string, tag: string): string | undefined {
  const inner = text
    .split(new RegExp(`</${tag}>`, 'i'))
    .slice(0, -1)
    .map((part) => part.split(new RegExp(`<${tag}(?:\\s[^>]*)?>`, 'i')))
    .filter((parts) => parts.length > 1)
    .map((parts) => parts.at(-1) ?? '')
  return inner.length === 0 ? undefined : inner.join('\n')
}

const linePrefix = /^(?:\[[^\]]{1,30}\]|\([\d:.,\s–-]{1,30}\)|\d[\d:.,–-]*[:.)|]|[A-Z]?\d+[:.)|]|[-*•])\s*/

/** Lines without the marks before them, where nearly all have one (numbers, times, bullets). */
function linesOf(text: string): string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const marked = lines.filter((line) => linePrefix.test(line)).length
  return marked < lines.length * 0.8
    ? lines
    : lines.map((line) => line.replace(linePrefix, '')).filter(Boolean)
}

/** Notes keep what was said as quotes; whatever is written from notes may quote these alone. */
function quotesIn(notes: string): string[] | undefined {
  const quotes = textsOf(notes, 'quote')
  if (quotes.length >= 3) return quotes
  const all = [...quotes, ...textsOf(notes, 'point')]
  return all.length > 0 ? all : undefined
}

/** The texts under a name in JSON, wherever it is in it. */
function textsOf(json: string, name: string): string[] {
  const found = [...json.matchAll(new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`, 'g'))]
  return [...new Set(found.map(([, text = '""']) => unescaped(text).trim()))].filter(Boolean)
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return ''
  }
}
