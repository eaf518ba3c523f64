import { Inject, Injectable } from '@nestjs/common'
import { CommandBus } from '@nestjs/cqrs'
import { ApplicationFailure } from '@temporalio/common'
import type { Updateable } from 'kysely'
import type { Logger } from 'pino'
import Stripe from 'stripe'
import type { PaymentOutcome } from '@earmark/contracts/workflows'
import type {
  CheckoutState,
  PaymentActivities,
  PaymentJob,
  PaymentVendorActivities,
} from '@earmark/workflows/activities'
import { microcredits, toCredits } from '../../credits/domain/amounts.ts'
import { GrantCredits } from '../../credits/grant-credits/grant-credits.handler.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import type { Schema } from '../../platform/postgres/schema.ts'
import type { PaymentRow } from '../payment-row.ts'
import { isFinal, StripeClient } from '../stripe-client.ts'
import { Receipts } from './receipts.ts'

/** A checkout that the provider does not know is looked at seldom after a day, and given to an operator after these. */
const unknownForDays = 30
const dayMs = 86_400_000
const receiptLaterMs = 10 * 60_000

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
    creditPayment: (input) => this.#credit(input),
    closePayment: ({ sessionId, outcome }) => this.#close(sessionId, outcome),
  }

  readonly vendors: PaymentVendorActivities = {
    lookAtCheckout: (job) => this.#look(job),
    sendReceipt: ({ sessionId }) => this.#sendReceipt(sessionId),
  }

  async #look({ sessionId }: PaymentJob): Promise<CheckoutState> {
    const row = await this.#read(sessionId)
    if (row.status === 'credited') return { state: 'credited' }
    const session = await this.#retrieve(sessionId)
    if (!session) return this.#unknown(row)

    const state = stateOf(session, row)
    const isSettling = session.status === 'complete' && state.state === 'open'
    await this.#update(sessionId, {
      looked_at: new Date(),
      is_settling: isSettling,
      ...(isSettling && { is_reusable: false }),
    })
    if (state.state === 'review' && row.status !== 'review') {
      const { amount_total, currency, payment_status } = session
      this.logger.error(
        { sessionId, amount_total, currency, payment_status, recorded: row.price_cents },
        'a checkout was paid otherwise than our record says: nothing was credited. ' +
          `If it is right: npm run credits -- grant <email> <credits> --reason <text> --operation-id ${sessionId}:purchase`,
      )
    }
    return state
  }

  /** Undefined where Stripe does not know it: another account's key, or a sandbox that was emptied. */
  async #retrieve(sessionId: string): Promise<Stripe.Checkout.Session | undefined> {
    try {
      return await this.stripe.api.checkout.sessions.retrieve(
        sessionId,
        { expand: ['payment_intent'] },
        // The workflow tries again, so that each try is seen and bounded in one place.
        { maxNetworkRetries: 0 },
      )
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error
      if (error.code === 'resource_missing') return undefined
      if (!isFinal(error)) throw error
      this.logger.error({ sessionId, error: error.message }, 'the card provider refuses to be asked')
      throw ApplicationFailure.nonRetryable(error.message, error.type)
    }
  }

  /** Not paid, for all that we know, but never closed for it: the key may be the wrong one. */
  async #unknown(row: PaymentRow): Promise<CheckoutState> {
    const ageMs = Date.now() - row.created_at.getTime()
    this.logger.error(
      { sessionId: row.session_id },
      'the card provider does not know this checkout: is STRIPE_SECRET_KEY of another account?',
    )
    if (ageMs > unknownForDays * dayMs) return { state: 'review' }
    if (ageMs > dayMs && row.session_id !== null)
      await this.#update(row.session_id, { next_look_at: new Date(Date.now() + dayMs / 24) })
    return { state: 'open' }
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
        is_settling: false,
        customer_email: customerEmail,
        payment_intent_id: paymentIntentId,
        credited_at: columns.fn.coalesce('credited_at', columns.val(new Date())),
        next_look_at: new Date(Date.now() + receiptLaterMs),
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
    const isSent = await this.receipts.send({
      ...row,
      session_id: sessionId,
      customer_email: row.customer_email,
    })
    if (isSent) await this.#update(sessionId, { receipt_sent_at: new Date() })
  }

  async #update(sessionId: string, changes: Updateable<Schema['payments']>): Promise<void> {
    await this.database.updateTable('payments').set(changes).where('session_id', '=', sessionId).execute()
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
