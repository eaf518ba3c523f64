import { Inject } from '@nestjs/common'
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { Logger } from 'pino'
import type Stripe from 'stripe'
import { problem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { PaymentConfirmation } from '../payment-confirmation.ts'
import { StripeClient } from '../stripe-client.ts'

/** A message of the card provider, as it came in: the signature is of its bytes. */
export class ReceiveWebhook extends Command<void> {
  constructor(
    readonly body: Buffer,
    readonly signature: string,
  ) {
    super()
  }
}

/** Older signatures are refused, so that a message that was overheard cannot be sent again later. */
const toleranceSeconds = 300

/**
 * Tells the session's workflow that there is reason to look. What the message says beyond the session's id is not
 * used: messages come late, twice and in any order, and the workflow asks what is true now.
 */
@CommandHandler(ReceiveWebhook)
export class ReceiveWebhookHandler implements ICommandHandler<ReceiveWebhook> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stripe: StripeClient,
    private readonly confirmation: PaymentConfirmation,
  ) {}

  async execute({ body, signature }: ReceiveWebhook): Promise<void> {
    const sessionId = sessionOf(this.#verified(body, signature))
    if (sessionId === undefined) return
    const row = await this.database
      .selectFrom('payments')
      .select(['user_id', 'request_id'])
      .where('session_id', '=', sessionId)
      .executeTakeFirst()
    if (!row) {
      // Another product may sell through the same account.
      this.logger.info({ sessionId }, 'webhook about a checkout that is not ours')
      return
    }
    await this.confirmation.ask({ ...row, session_id: sessionId })
  }

  #verified(body: Buffer, signature: string): Stripe.Event {
    const { webhookSecret } = this.stripe.settings
    try {
      return this.stripe.api.webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds)
    } catch (error) {
      this.logger.error(
        { error: error instanceof Error ? error.message : String(error) },
        'webhook refused: is STRIPE_WEBHOOK_SECRET that of this endpoint?',
      )
      throw problem('invalid_signature', 'This message is not signed as the card provider signs.')
    }
  }
}

function sessionOf(event: Stripe.Event): string | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return event.data.object.id
    default:
      return undefined
  }
}
