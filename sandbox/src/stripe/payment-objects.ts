import type Stripe from 'stripe'
import { newId, unixSeconds } from './ids.ts'
import type { Payment } from './payment.ts'
import { addressIn } from './session-object.ts'
import type { SessionParams } from './session-params.ts'
import type { Decline } from './test-cards.ts'

export const apiVersion = '2026-10-28.endive'

/** The payment of a session, from the moment that the customer submits it. */
export function newIntent(session: Stripe.Checkout.Session, params: SessionParams): Stripe.PaymentIntent {
  const id = newId('pi_3')
  const { payment_intent_data: data } = params
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: session.amount_total ?? 0,
    amount_capturable: 0,
    amount_details: {},
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_${newId('secret_')}`,
    confirmation_method: 'automatic',
    created: unixSeconds(),
    currency: session.currency ?? 'usd',
    customer: null,
    customer_account: null,
    description: data.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: data.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: session.payment_method_types,
    payment_record: null,
    processing: null,
    receipt_email: data.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: data.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}

/** One attempt to take the money. */
export function newCharge(
  intent: Stripe.PaymentIntent,
  payment: Payment,
  status: 'succeeded' | 'pending' | 'failed',
  decline?: Decline,
): Stripe.Charge {
  const isTaken = status === 'succeeded'
  return {
    id: newId(payment.method === 'card' ? 'ch_3' : 'py_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isTaken ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isTaken ? newId('txn_3') : null,
    billing_details: {
      address: addressIn(payment.country),
      email: payment.email,
      name: payment.name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: null,
    captured: status !== 'failed',
    created: unixSeconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: status !== 'failed',
    payment_intent: intent.id,
    payment_method: newId('pm_1'),
    payment_method_details: methodDetails(payment),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    refunds: null,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status,
    transfer_data: null,
    transfer_group: null,
  }
}

function outcomeOf(decline: Decline | undefined): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline ? (decline.declineCode ?? decline.code) : null,
    risk_level: 'normal',
    seller_message: decline
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  }
}

function methodDetails(payment: Payment): Stripe.Charge.PaymentMethodDetails {
  if (payment.method === 'us_bank_account') {
    return {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        account_type: 'checking',
        bank_name: 'STRIPE TEST BANK',
        fingerprint: null,
        last4: '6789',
        payment_reference: null,
        routing_number: '110000000',
      },
    }
  }
  return {
    type: 'card',
    card: {
      amount_authorized: null,
      authorization_code: null,
      brand: payment.card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      electronic_commerce_indicator: null,
      exp_month: payment.expiryMonth,
      exp_year: payment.expiryYear,
      extended_authorization: { status: 'disabled' },
      fingerprint: null,
      funding: 'credit',
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: payment.card.number.slice(-4),
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: payment.card.brand,
      network_token: { used: false },
      network_transaction_id: null,
      overcapture: { maximum_amount_capturable: 0, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

export function newRefund(
  charge: Stripe.Charge,
  { amount, reason, metadata }: { amount: number; reason: string | null; metadata: Record<string, string> },
): Stripe.Refund {
  return {
    id: newId('re_3'),
    object: 'refund',
    amount,
    balance_transaction: newId('txn_3'),
    charge: charge.id,
    created: unixSeconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: { type: 'card', card: { type: 'refund' } },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

export type StripeObject = Stripe.Checkout.Session | Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund

/** An event about an object as it is now; what happens to the object later does not change it. */
export function newEvent(
  type: Stripe.Event.Type,
  object: StripeObject,
  pendingWebhooks: number,
): Stripe.EventBase {
  return {
    id: newId('evt_1'),
    object: 'event',
    api_version: apiVersion,
    created: unixSeconds(),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: pendingWebhooks,
    request: { id: null, idempotency_key: null },
    type,
  }
}
