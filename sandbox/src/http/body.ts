import type { IncomingMessage } from 'node:http'

/** The body as text, or undefined where it is longer than `greatestBytes`. */
export async function readText(request: IncomingMessage, greatestBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length <= greatestBytes) parts.push(part)
  }
  return length > greatestBytes ? undefined : Buffer.concat(parts).toString('utf8')
}
