import { Inject, Injectable } from '@nestjs/common'
import { CommandBus } from '@nestjs/cqrs'
import type { Logger } from 'pino'
import Stripe from 'stripe'
import type { PaymentOutcome } from '@earmark/contracts/workflows'
import type { CheckoutState, PaymentActivities, PaymentJob } from '@earmark/workflows/activities'
import { microcredits, toCredits } from '../../credits/domain/amounts.ts'
import { GrantCredits } from '../../credits/grant-credits/grant-credits.handler.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import type { PaymentRow } from '../payment-row.ts'
import { StripeClient } from '../stripe-client.ts'
import { Receipts } from './receipts.ts'

/** Stripe keeps a session for a day at the longest; one that it does not know then is not paid any more. */
const sessionLifeMs = 25 * 3_600_000

/** What the payment workflow has done for it. The operation id of a purchase is `<session id>:purchase`. */
@Injectable()
export class ConfirmPaymentActivities {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly commands: CommandBus,
    private readonly stripe: StripeClient,
    private readonly receipts: Receipts,
  ) {}

  readonly main: PaymentActivities = {
    lookAtCheckout: (job) => this.#look(job),
    creditPayment: (input) => this.#credit(input),
    closePayment: ({ sessionId, outcome }) => this.#close(sessionId, outcome),
    sendReceipt: ({ sessionId }) => this.#sendReceipt(sessionId),
  }

  async #look({ sessionId }: PaymentJob): Promise<CheckoutState> {
    const row = await this.#read(sessionId)
    if (row.status === 'credited') return { state: 'credited' }
    const session = await this.#retrieve(row)
    if (!session) return { state: 'open' }
    const state = stateOf(session, row)
    if (state.state === 'review') {
      const { amount_total, currency, payment_status } = session
      this.logger.error(
        { sessionId, amount_total, currency, payment_status, recorded: row.price_cents },
        'a checkout was paid otherwise than our record says: nothing was credited, please look at it',
      )
    }
    return state
  }

  async #retrieve(row: PaymentRow): Promise<Stripe.Checkout.Session | undefined> {
    try {
      return await this.stripe.api.checkout.sessions.retrieve(row.session_id, { expand: ['payment_intent'] })
    } catch (error) {
      const isUnknown =
        error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
      if (!isUnknown) throw error
      this.logger.warn({ sessionId: row.session_id }, 'the card provider does not know this checkout')
      if (Date.now() - row.created_at.getTime() > sessionLifeMs) await this.#close(row.session_id, 'expired')
      return undefined
    }
  }

  async #credit({
    sessionId,
    customerEmail,
    paymentIntentId,
  }: Parameters<PaymentActivities['creditPayment']>[0]): Promise<PaymentOutcome> {
    const row = await this.#read(sessionId)
    const amountMicrocredits = microcredits(row.credits_microcredits)
    const answer = await this.commands.execute(
      new GrantCredits(row.user_id, {
        operationId: `${sessionId}:purchase`,
        operationType: 'purchase',
        amountMicrocredits,
        note: { description: `${row.package_name}, ${toCredits(amountMicrocredits)} credits` },
      }),
    )
    if (!answer.accepted) {
      this.logger.error(
        { sessionId, code: answer.refusal.code },
        'a paid purchase was refused: please look at it',
      )
      return this.#close(sessionId, 'review')
    }
    await this.database
      .updateTable('payments')
      .set((columns) => ({
        status: 'credited',
        customer_email: customerEmail,
        payment_intent_id: paymentIntentId,
        credited_at: columns.fn.coalesce('credited_at', columns.val(new Date())),
      }))
      .where('session_id', '=', sessionId)
      .execute()
    return 'credited'
  }

  async #close(sessionId: string, outcome: 'expired' | 'failed' | 'review'): Promise<PaymentOutcome> {
    await this.database
      .updateTable('payments')
      .set({ status: outcome })
      .where('session_id', '=', sessionId)
      .where('status', '=', 'open')
      .execute()
    return (await this.#read(sessionId)).status
  }

  async #sendReceipt(sessionId: string): Promise<void> {
    const row = await this.#read(sessionId)
    if (row.receipt_sent_at !== null || row.customer_email === null) return
    await this.receipts.send({ ...row, customer_email: row.customer_email })
    await this.database
      .updateTable('payments')
      .set({ receipt_sent_at: new Date() })
      .where('session_id', '=', sessionId)
      .execute()
  }

  #read(sessionId: string): Promise<PaymentRow> {
    return this.database
      .selectFrom('payments')
      .selectAll()
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
  }
}

/**
 * What a session means for our record: paid only where the amount and the currency are those that we asked for.
 * A completed session may still be unpaid: bank transfers and the like settle later, or fail.
 */
function stateOf(session: Stripe.Checkout.Session, row: PaymentRow): CheckoutState {
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent
  switch (session.status) {
    case 'expired':
      return { state: 'expired' }
    case 'complete': {
      if (session.payment_status === 'unpaid') {
        const hasFailed = intent?.status === 'requires_payment_method' || intent?.status === 'canceled'
        return { state: hasFailed ? 'failed' : 'open' }
      }
      const isAsRecorded =
        session.payment_status === 'paid' &&
        session.amount_total === row.price_cents &&
        session.currency === row.currency
      if (!isAsRecorded) return { state: 'review' }
      return {
        state: 'paid',
        customerEmail: session.customer_details?.email ?? session.customer_email,
        paymentIntentId: intent?.id ?? null,
      }
    }
    default:
      return { state: 'open' }
  }
}
