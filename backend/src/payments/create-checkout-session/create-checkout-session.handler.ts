import { randomUUID } from 'node:crypto'
import { Inject } from '@nestjs/common'
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { Selectable } from 'kysely'
import type { Logger } from 'pino'
import type Stripe from 'stripe'
import type { CheckoutSession } from '@earmark/contracts/payments'
import { microcredits, toCredits } from '../../credits/domain/amounts.ts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import type { SignedInUser } from '../../platform/http/access.ts'
import { problem } from '../../platform/http/problem.ts'
import { currentRequestId } from '../../platform/logging/logger.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import type { Schema } from '../../platform/postgres/schema.ts'
import { StripeClient } from '../stripe-client.ts'

/** Opens a checkout for a package, at the price of our own record. */
export class CreateCheckoutSession extends Command<CheckoutSession> {
  constructor(
    readonly user: SignedInUser,
    readonly packageId: string,
    /** What the buyer saw; where they say it, they pay that or nothing. */
    readonly shown: { price?: number | undefined; credits?: number | undefined },
  ) {
    super()
  }
}

type PackageRow = Selectable<Schema['credit_packages']>

const currency = 'usd'
/** The webhook and the return page come first; after this the reconciler looks for itself. */
const firstLookMs = 60_000

@CommandHandler(CreateCheckoutSession)
export class CreateCheckoutSessionHandler implements ICommandHandler<CreateCheckoutSession> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stripe: StripeClient,
  ) {}

  async execute({ user, packageId, shown }: CreateCheckoutSession): Promise<CheckoutSession> {
    const { publishableKey, jsUrl } = this.stripe.settings
    const offer = await this.#findOffer(packageId)
    refuseIfChanged(offer, shown)

    const session = await this.#open(user, offer)
    // Only then is the secret told by which it can be paid: no payment without a record of ours.
    await this.database
      .insertInto('payments')
      .values({
        session_id: session.id,
        user_id: user.id,
        package_id: offer.id,
        package_name: offer.name,
        credits_microcredits: offer.credits_microcredits,
        price_cents: offer.price_cents,
        currency,
        status: 'open',
        request_id: currentRequestId() ?? randomUUID(),
        next_look_at: new Date(Date.now() + firstLookMs),
      })
      .execute()
    return {
      publishable_key: publishableKey,
      client_secret: session.client_secret ?? '',
      session_id: session.id,
      stripe_js_url: jsUrl ?? null,
    }
  }

  async #findOffer(packageId: string): Promise<PackageRow> {
    const offer = await this.database
      .selectFrom('credit_packages')
      .selectAll()
      .where('id', '=', packageId)
      .where('is_offered', '=', true)
      .executeTakeFirst()
    if (!offer) throw problem('not_found', 'This package is not on offer. Nothing was charged.')
    return offer
  }

  async #open(user: SignedInUser, offer: PackageRow): Promise<Stripe.Checkout.Session> {
    const { checkoutMinutes } = this.stripe.settings
    const metadata = { user_id: user.id, package_id: offer.id }
    const credits = toCredits(microcredits(offer.credits_microcredits))
    try {
      return await this.stripe.api.checkout.sessions.create(
        {
          mode: 'payment',
          ui_mode: 'embedded_page',
          return_url: `${this.config.http.publicUrl}/payment/success?session_id={CHECKOUT_SESSION_ID}`,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency,
                unit_amount: offer.price_cents,
                product_data: {
                  name: `Earmark ${offer.name}: ${credits} credits`,
                  ...(offer.description !== null && { description: offer.description }),
                },
              },
            },
          ],
          customer_email: user.email,
          client_reference_id: user.id,
          metadata,
          payment_intent_data: {
            metadata,
            // Without a mail server of ours Stripe sends the receipt.
            ...(this.config.mail.smtpUrl === undefined && { receipt_email: user.email }),
          },
          expires_at: Math.floor(Date.now() / 1000) + checkoutMinutes * 60,
        },
        // The client's own keys are new for each call; with ours its retry after a lost answer opens no second session.
        { idempotencyKey: `checkout-${randomUUID()}` },
      )
    } catch (error) {
      this.logger.error({ error: String(error), packageId: offer.id }, 'checkout not opened')
      throw problem(
        'payments_unavailable',
        'The card provider cannot be reached right now. Nothing was charged. Please try again shortly.',
      )
    }
  }
}

function refuseIfChanged(offer: PackageRow, shown: CreateCheckoutSession['shown']): void {
  const price = offer.price_cents / 100
  const credits = toCredits(microcredits(offer.credits_microcredits))
  const isSame = (shown.price ?? price) === price && (shown.credits ?? credits) === credits
  if (isSame) return
  throw problem(
    'package_changed',
    `This package has changed: it is now ${credits} credits for $${price.toFixed(2)}. Nothing was charged.`,
    { price, credits },
  )
}
