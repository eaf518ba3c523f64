import type Stripe from 'stripe'
import { unixSeconds } from './ids.ts'
import type { Payment } from './payment.ts'
import { newCharge, newEvent, newIntent, newRefund, type StripeObject } from './payment-objects.ts'
import { customerDetails, lineItemsOf, newSession } from './session-object.ts'
import type { SessionParams } from './session-params.ts'
import { missing, StripeError } from './stripe-error.ts'
import { authenticationFailure, type Decline, paymentError } from './test-cards.ts'
import type { Webhooks } from './webhooks.ts'

/** A session with what Stripe does not show of it. */
export type Checkout = {
  session: Stripe.Checkout.Session
  lineItems: Stripe.ApiList<Stripe.LineItem>
  params: SessionParams
  intent?: Stripe.PaymentIntent
  /** Waits for the customer to authenticate it. */
  authenticating?: Payment
}

const sessionExpiry = 'checkout.session.expired'

/** The test account that the sandbox keeps in memory: sessions, payments and events, each as Stripe moves them. */
export class StripeAccount {
  /** How long a delayed payment takes; null leaves it to the control. */
  settleAfterMs: number | null = 10_000
  readonly webhooks: Webhooks
  readonly checkouts = new Map<string, Checkout>()
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly charges = new Map<string, Stripe.Charge>()
  readonly refunds = new Map<string, Stripe.Refund>()
  readonly events = new Map<string, Stripe.EventBase>()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(webhooks: Webhooks) {
    this.webhooks = webhooks
  }

  close(): void {
    this.#timers.forEach((timer) => clearTimeout(timer))
    this.webhooks.close()
  }

  /** @throws StripeError when there is none. */
  checkout(id: string): Checkout {
    const checkout = this.checkouts.get(id)
    if (!checkout) throw missing('checkout.session', id, 'session')
    return checkout
  }

  createSession(params: SessionParams): Stripe.Checkout.Session {
    const session = newSession(params)
    const checkout: Checkout = { session, lineItems: lineItemsOf(params, session.id), params }
    this.checkouts.set(session.id, checkout)
    this.#later((session.expires_at - unixSeconds()) * 1000, () => {
      if (session.status === 'open') this.expire(checkout)
    })
    return session
  }

  /** @throws StripeError when it is not open. */
  expire({ session }: Checkout): void {
    if (session.status !== 'open') {
      throw new StripeError(400, {
        message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status ?? ''}\`.`,
      })
    }
    session.status = 'expired'
    this.#emit(sessionExpiry, session)
  }

  /** @returns whether the customer has to authenticate first. @throws StripeError when it is declined, or not open. */
  pay(checkout: Checkout, payment: Payment): 'complete' | 'requires_action' {
    const { session } = checkout
    requireOpen(session)
    if (!session.payment_method_types.includes(payment.method)) {
      throw new StripeError(400, { message: 'This session does not take this method of payment.' })
    }
    checkout.intent ??= newIntent(session, checkout.params)
    const { intent } = checkout
    this.intents.set(intent.id, intent)
    session.payment_intent = intent.id
    session.customer_details = customerDetails(payment.email, payment.name, payment.country)

    if (payment.method === 'us_bank_account') {
      this.#beginDelayed(checkout, intent, payment)
      return 'complete'
    }
    if (payment.card.decline) throw this.#decline(intent, payment, payment.card.decline)
    if (payment.card.needsAuthentication) {
      intent.status = 'requires_action'
      intent.next_action = { type: 'use_stripe_sdk' }
      checkout.authenticating = payment
      return 'requires_action'
    }
    this.#succeed(session, intent, payment)
    return 'complete'
  }

  /** Ends the customer's authentication. @throws StripeError when it failed, or none was asked. */
  authenticate(checkout: Checkout, succeeded: boolean): void {
    const { session, intent, authenticating: payment } = checkout
    requireOpen(session)
    if (!intent || !payment) throw new StripeError(400, { message: 'Nothing waits for authentication.' })
    delete checkout.authenticating
    intent.next_action = null
    if (!succeeded) throw this.#decline(intent, payment, authenticationFailure)
    this.#succeed(session, intent, payment)
  }

  /** Ends a delayed payment. @throws StripeError when none is on its way. */
  settle({ session, intent }: Checkout, outcome: 'succeeded' | 'failed'): void {
    const charge =
      typeof intent?.latest_charge === 'string' ? this.charges.get(intent.latest_charge) : undefined
    if (intent?.status !== 'processing' || !charge) {
      throw new StripeError(400, { message: 'No delayed payment of this session is on its way.' })
    }
    intent.processing = null
    if (outcome === 'succeeded') {
      charge.status = 'succeeded'
      charge.amount_captured = charge.amount
      intent.status = 'succeeded'
      intent.amount_received = intent.amount
      session.payment_status = 'paid'
      this.#emit('charge.succeeded', charge)
      this.#emit('payment_intent.succeeded', intent)
      this.#emit('checkout.session.async_payment_succeeded', session)
      return
    }
    const refused: Decline = {
      code: 'payment_method_provider_decline',
      declineCode: 'insufficient_funds',
      message: 'The customer’s account has insufficient funds to cover this payment.',
    }
    Object.assign(charge, {
      status: 'failed',
      paid: false,
      failure_code: refused.code,
      failure_message: refused.message,
    })
    intent.status = 'requires_payment_method'
    intent.last_payment_error = paymentError(refused)
    this.#emit('charge.failed', charge)
    this.#emit('payment_intent.payment_failed', intent)
    this.#emit('checkout.session.async_payment_failed', session)
  }

  /** @throws StripeError when more is asked back than was taken. */
  refund(
    charge: Stripe.Charge,
    given: { amount?: number; reason: string | null; metadata: Record<string, string> },
  ) {
    const left = charge.status === 'succeeded' ? charge.amount - charge.amount_refunded : 0
    const amount = given.amount ?? left
    if (left === 0) {
      const message = `Charge ${charge.id} has already been refunded.`
      throw new StripeError(400, { code: 'charge_already_refunded', message })
    }
    if (amount > left || amount < 1) {
      const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`
      throw new StripeError(400, { message, param: 'amount' })
    }
    const refund = newRefund(charge, { ...given, amount })
    this.refunds.set(refund.id, refund)
    charge.amount_refunded += amount
    charge.refunded = charge.amount_refunded === charge.amount
    this.#emit('charge.refunded', charge)
    this.#emit('refund.created', refund)
    return refund
  }

  #succeed(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent, payment: Payment): void {
    const charge = this.#charge(intent, newCharge(intent, payment, 'succeeded'))
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    session.status = 'complete'
    session.payment_status = 'paid'
    this.#emit('charge.succeeded', charge)
    this.#emit('payment_intent.succeeded', intent)
    this.#emit('checkout.session.completed', session)
  }

  #beginDelayed(
    checkout: Checkout,
    intent: Stripe.PaymentIntent,
    payment: Payment & { method: 'us_bank_account' },
  ): void {
    const { session } = checkout
    const charge = this.#charge(intent, newCharge(intent, payment, 'pending'))
    intent.status = 'processing'
    intent.last_payment_error = null
    session.status = 'complete'
    this.#emit('charge.pending', charge)
    this.#emit('payment_intent.processing', intent)
    this.#emit('checkout.session.completed', session)
    if (this.settleAfterMs === null) return
    this.#later(this.settleAfterMs, () => {
      if (intent.status === 'processing') this.settle(checkout, payment.arrives ? 'succeeded' : 'failed')
    })
  }

  #decline(intent: Stripe.PaymentIntent, payment: Payment, decline: Decline): StripeError {
    const charge = this.#charge(intent, newCharge(intent, payment, 'failed', decline))
    intent.status = 'requires_payment_method'
    intent.payment_method = null
    intent.last_payment_error = { ...paymentError(decline), charge: charge.id }
    this.#emit('charge.failed', charge)
    this.#emit('payment_intent.payment_failed', intent)
    return new StripeError(402, {
      type: 'card_error',
      code: decline.code,
      message: decline.message,
      ...(decline.declineCode && { decline_code: decline.declineCode }),
    })
  }

  #charge(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Stripe.Charge {
    this.charges.set(charge.id, charge)
    intent.latest_charge = charge.id
    intent.payment_method = charge.payment_method
    return charge
  }

  #emit(type: Stripe.Event.Type, object: StripeObject): void {
    const event = newEvent(type, object)
    this.events.set(event.id, event)
    this.webhooks.send(event)
  }

  #later(delayMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, delayMs).unref()
    this.#timers.add(timer)
  }
}

function requireOpen(session: Stripe.Checkout.Session): void {
  if (session.status === 'open') return
  const message =
    session.status === 'expired' ? 'This checkout has expired.' : 'This checkout is already complete.'
  throw new StripeError(400, { message })
}
