import type { FastifyRequest } from 'fastify'
import { problem } from './problem.ts'

/**
 * Reads a body of `application/json`; an empty one is none, since clients of the session protocol name the type and send nothing.
 * Text that PostgreSQL cannot hold (the character 0, half a surrogate pair) is refused here, for every call at once.
 */
export function parseJsonBody(
  _request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  if (bytes.length === 0) {
    done(null, undefined)
    return
  }
  let body: unknown
  try {
    body = JSON.parse(bytes.toString('utf8'))
  } catch {
    done(problem('invalid_input', 'The body is not JSON.'))
    return
  }
  if (isStorable(body)) done(null, body)
  else done(problem('invalid_input', 'The body holds characters that are no text.'))
}

/** Without recursion: a body may be nested deeper than the stack is. */
function isStorable(body: unknown): boolean {
  const parts = [body]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed())) return false
    if (typeof part === 'object' && part !== null) {
      for (const [name, value] of Object.entries(part)) parts.push(name, value)
    }
  }
  return true
}
