import type Stripe from 'stripe'
import type { AccountJournal, AccountState } from './account-journal.ts'
import { unixSeconds } from './ids.ts'
import type { Payment } from './payment.ts'
import { newCharge, newEvent, newIntent, newRefund, type StripeObject } from './payment-objects.ts'
import { type Checkout, customerDetails, lineItemsOf, newSession } from './session-object.ts'
import type { SessionParams } from './session-params.ts'
import { missing, StripeError } from './stripe-error.ts'
import { authenticationFailure, type Decline, paymentError } from './test-cards.ts'
import type { Webhooks } from './webhooks.ts'

const sessionExpiry = 'checkout.session.expired'

type Paying = Checkout & { intent: Stripe.PaymentIntent }

/** The test account that the sandbox keeps: sessions, payments and events, each as Stripe moves them. */
export class StripeAccount {
  /** How long a delayed payment takes; null leaves it to the control. */
  settleAfterMs: number | null = 10_000
  readonly webhooks: Webhooks
  readonly checkouts = new Map<string, Checkout>()
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly charges: Map<string, Stripe.Charge>
  readonly refunds: Map<string, Stripe.Refund>
  readonly events: Map<string, Stripe.EventBase>
  readonly #journal: AccountJournal
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(webhooks: Webhooks, journal: AccountJournal) {
    this.webhooks = webhooks
    this.#journal = journal
    const { checkouts, charges, refunds, events } = journal.state
    this.charges = new Map(charges.map((charge) => [charge.id, charge]))
    this.refunds = new Map(refunds.map((refund) => [refund.id, refund]))
    this.events = new Map(events.map((event) => [event.id, event]))
    for (const checkout of checkouts) this.#add(checkout)
    webhooks.resume(events)
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
    this.#add(checkout)
    this.#record({ checkouts: [checkout] })
    return session
  }

  /** @throws StripeError when it is not open. */
  expire(checkout: Checkout): void {
    const { session } = checkout
    if (session.status !== 'open') {
      throw new StripeError(400, {
        message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status ?? ''}\`.`,
      })
    }
    session.status = 'expired'
    this.#record({ checkouts: [checkout] }, [[sessionExpiry, session]])
  }

  /** @returns whether the customer has to authenticate first. @throws StripeError when it is declined, or not open. */
  pay(checkout: Checkout, payment: Payment): 'complete' | 'requires_action' {
    const { session } = checkout
    requireOpen(session)
    if (!session.payment_method_types.includes(payment.method)) {
      throw new StripeError(400, { message: 'This session does not take this method of payment.' })
    }
    const intent = checkout.intent ?? newIntent(session, checkout.params)
    const paying = Object.assign(checkout, { intent })
    this.intents.set(intent.id, intent)
    session.payment_intent = intent.id
    session.customer_details = customerDetails(payment.email, payment.name, payment.country)

    if (payment.method === 'us_bank_account') {
      this.#beginDelayed(paying, payment)
      return 'complete'
    }
    if (payment.card.decline) throw this.#decline(paying, payment, payment.card.decline)
    if (payment.card.needsAuthentication) {
      intent.status = 'requires_action'
      intent.next_action = { type: 'use_stripe_sdk' }
      checkout.authenticating = payment
      this.#record({ checkouts: [checkout] })
      return 'requires_action'
    }
    this.#succeed(paying, payment)
    return 'complete'
  }

  /** Ends the customer's authentication. @throws StripeError when it failed, or none was asked. */
  authenticate(checkout: Checkout, succeeded: boolean): void {
    const { session, intent, authenticating: payment } = checkout
    requireOpen(session)
    if (!intent || !payment) throw new StripeError(400, { message: 'Nothing waits for authentication.' })
    delete checkout.authenticating
    intent.next_action = null
    const paying = Object.assign(checkout, { intent })
    if (!succeeded) throw this.#decline(paying, payment, authenticationFailure)
    this.#succeed(paying, payment)
  }

  /** Ends a delayed payment. @throws StripeError when none is on its way. */
  settle(checkout: Checkout, outcome: 'succeeded' | 'failed'): void {
    const { session, intent } = checkout
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
      this.#record({ checkouts: [checkout], charges: [charge] }, [
        ['charge.succeeded', charge],
        ['payment_intent.succeeded', intent],
        ['checkout.session.async_payment_succeeded', session],
      ])
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
    this.#record({ checkouts: [checkout], charges: [charge] }, [
      ['charge.failed', charge],
      ['payment_intent.payment_failed', intent],
      ['checkout.session.async_payment_failed', session],
    ])
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
    this.#record({ charges: [charge], refunds: [refund] }, [
      ['charge.refunded', charge],
      ['refund.created', refund],
    ])
    return refund
  }

  #succeed(checkout: Paying, payment: Payment): void {
    const { session, intent } = checkout
    const charge = this.#charge(intent, newCharge(intent, payment, 'succeeded'))
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    intent.last_payment_error = null
    session.status = 'complete'
    session.payment_status = 'paid'
    this.#record({ checkouts: [checkout], charges: [charge] }, [
      ['charge.succeeded', charge],
      ['payment_intent.succeeded', intent],
      ['checkout.session.completed', session],
    ])
  }

  #beginDelayed(checkout: Paying, payment: Payment & { method: 'us_bank_account' }): void {
    const { session, intent } = checkout
    const charge = this.#charge(intent, newCharge(intent, payment, 'pending'))
    intent.status = 'processing'
    intent.last_payment_error = null
    session.status = 'complete'
    if (this.settleAfterMs !== null) {
      checkout.settling = { atMs: Date.now() + this.settleAfterMs, arrives: payment.arrives }
    }
    this.#record({ checkouts: [checkout], charges: [charge] }, [
      ['charge.pending', charge],
      ['payment_intent.processing', intent],
      ['checkout.session.completed', session],
    ])
    this.#settleInTime(checkout)
  }

  #decline(checkout: Paying, payment: Payment, decline: Decline): StripeError {
    const { intent } = checkout
    const charge = this.#charge(intent, newCharge(intent, payment, 'failed', decline))
    intent.status = 'requires_payment_method'
    intent.payment_method = null
    intent.last_payment_error = { ...paymentError(decline), charge: charge.id }
    this.#record({ checkouts: [checkout], charges: [charge] }, [
      ['charge.failed', charge],
      ['payment_intent.payment_failed', intent],
    ])
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

  /** Keeps what a step changed together with the events that tell of it, then sends them. */
  #record(changed: Partial<AccountState>, told: [Stripe.Event.Type, StripeObject][] = []): void {
    const isHeard = this.webhooks.target.url !== null
    const events = told.map(([type, object]) => newEvent(type, object, isHeard ? 1 : 0))
    this.#journal.append({ ...changed, events })
    for (const event of events) {
      this.events.set(event.id, event)
      this.webhooks.send(event)
    }
  }

  /** Takes a checkout in, new or from the journal, with what time brings about in it. */
  #add(checkout: Checkout): void {
    const { session, intent } = checkout
    this.checkouts.set(session.id, checkout)
    if (intent) this.intents.set(intent.id, intent)
    if (session.status === 'open') {
      this.#later((session.expires_at - unixSeconds()) * 1000, () => {
        if (session.status === 'open') this.expire(checkout)
      })
    }
    this.#settleInTime(checkout)
  }

  #settleInTime(checkout: Checkout): void {
    const { intent, settling } = checkout
    if (intent?.status !== 'processing' || !settling) return
    this.#later(settling.atMs - Date.now(), () => {
      if (intent.status === 'processing') this.settle(checkout, settling.arrives ? 'succeeded' : 'failed')
    })
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
