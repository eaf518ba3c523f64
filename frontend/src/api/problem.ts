import type { Problem, ProblemCode } from '@earmark/contracts/problems'
import { ORPCError } from '@orpc/client'

/** What a failed call says: `status` 0 means that no answer came at all. */
export type ReadProblem =
  | { status: 0; code: null; detail: null; details: null }
  | {
      status: number
      code: ProblemCode | null
      detail: string | null
      details: Record<string, unknown> | null
    }

const noAnswer: ReadProblem = { status: 0, code: null, detail: null, details: null }

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'detail' in body &&
    typeof body.detail === 'string' &&
    'code' in body &&
    typeof body.code === 'string'
  )
}

/** Turns `{detail, code, details?}` (design: the wire) into an error that carries all three and the status. */
export function problemDecoder(body: unknown, response: { status: number }): ORPCError<string, unknown> {
  if (!isProblem(body)) {
    return new ORPCError('UNREADABLE', {
      status: response.status,
      message: `HTTP error! status: ${response.status}`,
    })
  }
  return new ORPCError(body.code, { status: response.status, message: body.detail, data: body })
}

export function readProblem(error: unknown): ReadProblem {
  if (!(error instanceof ORPCError)) return noAnswer
  const body: unknown = error.data
  return isProblem(body)
    ? { status: error.status, code: body.code, detail: body.detail, details: body.details ?? null }
    : { status: error.status, code: null, detail: null, details: null }
}
