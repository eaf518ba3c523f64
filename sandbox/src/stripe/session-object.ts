import type Stripe from 'stripe'
import { newId, unixSeconds } from './ids.ts'
import type { Payment } from './payment.ts'
import { type SessionParams, totalOf } from './session-params.ts'

/** A session with what Stripe does not show of it. */
export type Checkout = {
  session: Stripe.Checkout.Session
  lineItems: Stripe.ApiList<Stripe.LineItem>
  params: SessionParams
  intent?: Stripe.PaymentIntent
  /** Waits for the customer to authenticate it. */
  authenticating?: Payment
  /** When a delayed payment ends, and how; none where the control ends it. */
  settling?: { atMs: number; arrives: boolean }
}

/** A new session with every field that Stripe's description requires; the type is Stripe's own. */
export function newSession(params: SessionParams): Stripe.Checkout.Session {
  const id = newId('cs_test_', 58)
  const total = totalOf(params.line_items)
  const email = params.customer_email ?? null
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: `${id}_${newId('secret_', 48)}`,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: unixSeconds(),
    currency: params.line_items[0]?.price_data.currency ?? null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required',
    customer_details: email === null ? null : customerDetails(email),
    customer_email: email,
    discounts: [],
    ...(params.excluded_payment_method_types && {
      excluded_payment_method_types: params.excluded_payment_method_types,
    }),
    expires_at: params.expires_at,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: { enabled: false },
    metadata: params.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: methodsOf(params),
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    redirect_on_completion: params.redirect_on_completion,
    ...(params.return_url !== undefined && { return_url: params.return_url }),
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'embedded_page',
    url: null,
    wallet_options: null,
  }
}

/** What the card page offers; like Stripe's dashboard, the sandbox has both turned on. */
function methodsOf({
  allowed_payment_method_types: allowed,
  excluded_payment_method_types: excluded,
}: SessionParams) {
  return ['card', 'us_bank_account'].filter(
    (method) => (allowed?.includes(method) ?? true) && !excluded?.includes(method),
  )
}

export function customerDetails(
  email: string,
  name: string | null = null,
  country: string | null = null,
): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: country === null ? null : addressIn(country),
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: null,
  }
}

export function addressIn(country: string | null): Stripe.Address {
  return { city: null, country, line1: null, line2: null, postal_code: null, state: null }
}

export function lineItemsOf(
  { line_items }: SessionParams,
  sessionId: string,
): Stripe.ApiList<Stripe.LineItem> {
  return {
    object: 'list',
    data: line_items.map((item) => lineItem(item)),
    has_more: false,
    url: `/v1/checkout/sessions/${sessionId}/line_items`,
  }
}

function lineItem({ price_data: price, quantity }: SessionParams['line_items'][number]): Stripe.LineItem {
  const total = price.unit_amount * quantity
  return {
    id: newId('li_'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: price.product_data.name,
    metadata: {},
    price: {
      id: newId('price_'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: unixSeconds(),
      currency: price.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: newId('prod_', 14),
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: price.unit_amount,
      // A string on the wire; the client makes its own decimal of it.
      unit_amount_decimal: String(price.unit_amount) as unknown as Stripe.Decimal,
    },
    quantity,
  }
}
