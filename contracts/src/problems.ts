import * as z from 'zod'

/**
 * Every code that an answer which is not a success may carry, with its HTTP status.
 * The one table that turns a refusal into HTTP: a refusal whose code is missing here does not compile.
 */
export const problemStatus = {
  invalid_input: 400,
  invalid_challenge: 400,
  invalid_signature: 400,
  invalid_credentials: 401,
  not_authenticated: 401,
  insufficient_credits: 402,
  not_found: 404,
  method_not_allowed: 405,
  operation_conflict: 409,
  package_changed: 409,
  transcript_not_completed: 409,
  nothing_to_summarise: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_transcriptions: 429,
  too_many_requests: 429,
  internal_error: 500,
  feed_unavailable: 502,
  directories_unavailable: 502,
  payments_unavailable: 502,
  temporarily_unavailable: 503,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof problemStatus

/** The body of every answer that is not a success (identity provider's own protocol excepted). */
export const problemSchema = z.object({
  detail: z.string().describe('What happened, in words for a person'),
  code: z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]),
  details: z.record(z.string(), z.unknown()).optional(),
})

export type Problem = z.infer<typeof problemSchema>
