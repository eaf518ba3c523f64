import { Inject, Injectable } from '@nestjs/common'
import Stripe from 'stripe'
import { CONFIG, type Config } from '../platform/config/config.ts'
import { problem } from '../platform/http/problem.ts'

const requestTimeoutMs = 10_000

/** Stripe by its own client; only the host is a setting. */
@Injectable()
export class StripeClient {
  readonly #stripe: Stripe | undefined

  constructor(@Inject(CONFIG) private readonly config: Config) {
    if (!config.stripe) return
    const { protocol, hostname, port } = new URL(config.stripe.apiUrl)
    this.#stripe = new Stripe(config.stripe.secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port !== '' && { port: Number(port) }),
      timeout: requestTimeoutMs,
      maxNetworkRetries: 1,
      telemetry: false,
    })
  }

  /** @throws ProblemError where this deployment sells nothing. */
  get api(): Stripe {
    if (!this.#stripe) throw problem('not_found', 'Credits cannot be bought here.')
    return this.#stripe
  }

  /** Keys and addresses. @throws ProblemError where this deployment sells nothing. */
  get settings(): NonNullable<Config['stripe']> {
    if (!this.config.stripe) throw problem('not_found', 'Credits cannot be bought here.')
    return this.config.stripe
  }
}

/** Whether asking Stripe the same again brings the same refusal: its 4xx, but for a conflict and a rate limit. */
export function isFinal(error: unknown): error is Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode = 0 } = error
  return statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429
}
