import type { Reply } from '../http/reply.ts'
import { StripeError } from './stripe-error.ts'

type Kept = { request: string; reply: Reply }

const greatestKeys = 20_000

/** Answers a request again as the first time (https://docs.stripe.com/api/idempotent_requests). */
export class IdempotentReplies {
  #kept = new Map<string, Kept>()

  /** The answer given before. @throws StripeError when the key stood for another request. */
  find(key: string, request: string): Reply | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    if (kept.request !== request) {
      throw new StripeError(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
          `Try using a key other than '${key}' if you meant to execute a different request.`,
      })
    }
    return { ...kept.reply, headers: { ...kept.reply.headers, 'idempotent-replayed': 'true' } }
  }

  keep(key: string, request: string, reply: Reply): void {
    this.#kept.set(key, { request, reply })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > greatestKeys && oldest !== undefined) this.#kept.delete(oldest)
  }
}
