import { ORPCError } from '@orpc/nest'
import { type Problem, type ProblemCode, problemStatus } from '@earmark/contracts/problems'
import { isUnreachable } from '../unreachable.ts'

/** An answer that is not a success: thrown by whoever serves a call, with words for the person who made it. */
export class ProblemError extends ORPCError<ProblemCode, Record<string, unknown> | undefined> {}

export function problem(code: ProblemCode, detail: string, details?: Record<string, unknown>): ProblemError {
  return new ProblemError(code, { status: problemStatus[code], message: detail, data: details })
}

const codeOfStatus: Record<number, ProblemCode> = {
  400: 'invalid_input',
  401: 'not_authenticated',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'invalid_input',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'temporarily_unavailable',
}

const detailOfCode: Partial<Record<ProblemCode, string>> = {
  not_found: 'There is nothing here.',
  payload_too_large: 'The request is too large.',
  unsupported_media_type: 'The body must be JSON (Content-Type: application/json).',
  temporarily_unavailable: 'A part of the service cannot be reached. Please try again shortly.',
  internal_error: 'Something went wrong on our side.',
}

/** What to answer for anything that was thrown. `unexpected` says that it belongs in the log. */
export function toProblem(error: unknown): { status: number; body: Problem; unexpected: boolean } {
  if (error instanceof ProblemError) return answer(error.code, error.message, error.data)
  if (error instanceof ORPCError) {
    if (error.cause !== undefined && error.status >= 500) return toProblem(error.cause)
    if (error.status < 500) return answer('invalid_input', validationDetail(error.data) ?? error.message)
    return unexpectedProblem('internal_error')
  }
  if (isUnreachable(error)) return unexpectedProblem('temporarily_unavailable')
  const status = statusOf(error)
  const code = status === undefined ? undefined : codeOfStatus[status]
  if (code === undefined || code === 'temporarily_unavailable')
    return unexpectedProblem(code ?? 'internal_error')
  const detail = detailOfCode[code] ?? (error instanceof Error ? error.message : String(error))
  return answer(code, detail)
}

function answer(code: ProblemCode, detail: string, details?: Record<string, unknown>) {
  const body: Problem = { detail, code, ...(details && { details }) }
  return { status: problemStatus[code], body, unexpected: false }
}

function unexpectedProblem(code: 'internal_error' | 'temporarily_unavailable') {
  return { ...answer(code, detailOfCode[code] ?? code), unexpected: true }
}

/** The sentences of a failed validation, each with the field that it is about. */
function validationDetail(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('issues' in data) || !Array.isArray(data.issues))
    return undefined
  const sentences = (data.issues as { message: string; path?: unknown[] }[]).map(({ message, path }) => {
    const field = path?.join('.') ?? ''
    // Zod's own sentences need the field's name; the contract's stand alone.
    return field && /^(Invalid|Too (small|big)|Unrecognized)/.test(message) ? `${field}: ${message}` : message
  })
  return sentences.join('; ')
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('getStatus' in error && typeof error.getStatus === 'function')
    return (error.getStatus as () => number)()
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined
}
