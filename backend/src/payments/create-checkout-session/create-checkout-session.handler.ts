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
import { PaymentConfirmation } from '../payment-confirmation.ts'
import type { PaymentRow } from '../payment-row.ts'
import { isFinal, StripeClient } from '../stripe-client.ts'

/** Opens a checkout for a package, or the one that was left open, at the price of our own record. */
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
const settleWaitMs = 5000
/** Stripe opens nothing that ends in less than half an hour. */
const leastOpenMs = 30 * 60_000

@CommandHandler(CreateCheckoutSession)
export class CreateCheckoutSessionHandler implements ICommandHandler<CreateCheckoutSession> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stripe: StripeClient,
    private readonly confirmation: PaymentConfirmation,
  ) {}

  async execute({ user, packageId, shown }: CreateCheckoutSession): Promise<CheckoutSession> {
    const { publishableKey, jsUrl } = this.stripe.settings
    const offer = await this.#findOffer(packageId)
    refuseIfChanged(offer, shown)

    // The one that was left may have been paid or have expired meanwhile: then the next round opens another.
    for (let round = 0; round < 2; round += 1) {
      const row = await this.#openRow(user.id, offer)
      if (!row) continue
      const session = await this.#sessionOf(row, user.email)
      if (session?.status === 'open' && session.client_secret !== null) {
        return {
          publishable_key: publishableKey,
          client_secret: session.client_secret,
          session_id: session.id,
          stripe_js_url: jsUrl ?? null,
        }
      }
      await this.#leave(row, session)
    }
    throw unavailable()
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

  /**
   * Written before the card provider is asked. A user has one open checkout of a package at a price, not any number.
   * Undefined where the one that was open has just ended.
   */
  async #openRow(userId: string, offer: PackageRow): Promise<PaymentRow | undefined> {
    const now = Date.now()
    await this.database
      .insertInto('payments')
      .values({
        id: randomUUID(),
        user_id: userId,
        package_id: offer.id,
        package_name: offer.name,
        package_description: offer.description,
        credits_microcredits: offer.credits_microcredits,
        price_cents: offer.price_cents,
        currency,
        status: 'open',
        request_id: currentRequestId() ?? randomUUID(),
        expires_at: new Date(now + this.stripe.settings.checkoutMinutes * 60_000),
        next_look_at: new Date(now + firstLookMs),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return this.database
      .selectFrom('payments')
      .selectAll()
      .where('user_id', '=', userId)
      .where('package_id', '=', offer.id)
      .where('price_cents', '=', offer.price_cents)
      .where('credits_microcredits', '=', offer.credits_microcredits)
      .where('status', '=', 'open')
      .where('is_reusable', '=', true)
      .executeTakeFirst()
  }

  /** Undefined where there is none that could be paid: it was never opened and can be no more, or Stripe does not know it. */
  async #sessionOf(row: PaymentRow, email: string): Promise<Stripe.Checkout.Session | undefined> {
    try {
      if (row.session_id !== null) return await this.stripe.api.checkout.sessions.retrieve(row.session_id)
      if (row.expires_at.getTime() < Date.now() + leastOpenMs) return undefined
      // By its key: asking again after a lost answer, or twice at once, opens one session.
      const session = await this.stripe.api.checkout.sessions.create(checkoutOf(row, email, this.config), {
        idempotencyKey: `checkout-${row.id}`,
      })
      // Only then is the secret told by which it can be paid: no payment without a record of ours.
      await this.database
        .updateTable('payments')
        .set({ session_id: session.id })
        .where('id', '=', row.id)
        .execute()
      return session
    } catch (error) {
      if (isFinal(error) && error.code === 'resource_missing') return undefined
      this.logger.error({ error: String(error), packageId: row.package_id }, 'checkout not opened')
      throw isFinal(error)
        ? problem('payments_unavailable', 'The card provider did not open a checkout. Nothing was charged.')
        : unavailable()
    }
  }

  /** Makes room for another: what is known of it is settled, what was never opened is closed. */
  async #leave(
    { id, session_id: sessionId, ...row }: PaymentRow,
    session: Stripe.Checkout.Session | undefined,
  ) {
    if (session && sessionId !== null) {
      await this.confirmation
        .settle({ ...row, session_id: sessionId }, settleWaitMs)
        .catch((error: unknown) => {
          this.logger.error({ sessionId, error: String(error) }, 'an earlier checkout is not settled')
          throw unavailable()
        })
      return
    }
    await this.database
      .updateTable('payments')
      .set(sessionId === null ? { status: 'expired' } : { is_reusable: false })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .execute()
  }
}

function checkoutOf(
  row: PaymentRow,
  email: string,
  { http, mail }: Config,
): Stripe.Checkout.SessionCreateParams {
  const credits = toCredits(microcredits(row.credits_microcredits))
  const metadata = { payment_id: row.id, user_id: row.user_id, package_id: row.package_id }
  return {
    mode: 'payment',
    ui_mode: 'embedded_page',
    return_url: `${http.publicUrl}/payment/success?session_id={CHECKOUT_SESSION_ID}`,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: row.currency,
          unit_amount: row.price_cents,
          product_data: {
            name: `Earmark ${row.package_name}: ${credits} credits`,
            ...(row.package_description !== null && { description: row.package_description }),
          },
        },
      },
    ],
    customer_email: email,
    client_reference_id: row.user_id,
    metadata,
    // Without a mail server of ours Stripe sends the receipt.
    payment_intent_data: { metadata, ...(mail.smtpUrl === undefined && { receipt_email: email }) },
    expires_at: Math.floor(row.expires_at.getTime() / 1000),
  }
}

function unavailable() {
  return problem(
    'payments_unavailable',
    'The card provider cannot be reached right now. Nothing was charged. Please try again shortly.',
  )
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
