import { json, type Reply } from '../http/reply.ts'

type ErrorType = 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'

export type StripeErrorBody = {
  type: ErrorType
  message: string
  code?: string
  decline_code?: string
  param?: string
  doc_url?: string
}

/** What Stripe answers in place of what was asked for (https://docs.stripe.com/api/errors). */
export class StripeError extends Error {
  readonly status: number
  readonly body: StripeErrorBody

  constructor(status: number, body: Omit<StripeErrorBody, 'type'> & { type?: ErrorType }) {
    super(body.message)
    this.status = status
    const docUrl = body.code
      ? { doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}` }
      : {}
    this.body = { type: 'invalid_request_error', ...body, ...docUrl }
  }
}

export function errorReply({ status, body }: StripeError): Reply {
  return json(status, { error: body })
}

export function missing(kind: string, id: string, param: string): StripeError {
  return new StripeError(404, { code: 'resource_missing', message: `No such ${kind}: '${id}'`, param })
}
