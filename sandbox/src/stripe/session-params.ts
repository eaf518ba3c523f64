import { z } from 'zod'
import { type Form, parseForm } from './form.ts'
import { unixSeconds } from './ids.ts'
import { StripeError } from './stripe-error.ts'

const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
const metadata = z.record(z.string().max(40), z.string().max(500)).default({})
const daySeconds = 86_400
/** Stripe allows 30 minutes to 24 hours; clocks may differ by some seconds. */
const leastLifeSeconds = 1800 - 60
const greatestLifeSeconds = daySeconds + 60

/** What the sandbox reads of a new session; `looseObject` since Stripe knows many more settings. */
const paramsSchema = z.looseObject({
  mode: z.enum(['payment']),
  ui_mode: z.enum(['embedded_page']),
  line_items: z
    .array(
      z.object({
        price_data: z.object({
          currency: z
            .string()
            .regex(/^[a-z]{3}$/i)
            .transform((code) => code.toLowerCase()),
          unit_amount: integer.pipe(z.number().min(0)),
          product_data: z.object({ name: z.string().min(1), description: z.string().optional() }),
        }),
        quantity: integer.pipe(z.number().min(1)),
      }),
    )
    .min(1)
    .max(100),
  return_url: z.url().optional(),
  redirect_on_completion: z.enum(['always', 'if_required', 'never']).default('always'),
  customer_email: z.email().optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata,
  expires_at: integer.optional(),
  allowed_payment_method_types: z.array(z.string()).optional(),
  excluded_payment_method_types: z.array(z.string()).optional(),
  payment_intent_data: z
    .looseObject({
      metadata,
      receipt_email: z.email().optional(),
      description: z.string().optional(),
      statement_descriptor_suffix: z.string().optional(),
    })
    .default({ metadata: {} }),
})

export type SessionParams = z.infer<typeof paramsSchema> & { expires_at: number }

/** Names that Stripe takes beside those above; any other is refused as Stripe refuses it. */
const otherNames = new Set(
  `adaptive_pricing after_expiration allow_promotion_codes automatic_tax billing_address_collection branding_settings
  cancel_url consent_collection currency custom_fields custom_text customer customer_account customer_creation
  customer_update discounts expand integration_identifier invoice_creation locale
  managed_payments name_collection optional_items origin_context payment_method_collection
  payment_method_configuration payment_method_data payment_method_options permissions phone_number_collection
  saved_payment_method_options setup_intent_data shipping_address_collection shipping_options submit_type
  subscription_data success_url tax_id_collection wallet_options`.split(/\s+/),
)

/** @throws StripeError as Stripe refuses the same form. */
export function readSessionParams(body: string): { params: SessionParams; form: Form } {
  const form = parseForm(body)
  const unknown = Object.keys(form).find((name) => !(name in paramsSchema.shape) && !otherNames.has(name))
  if (unknown !== undefined) {
    throw new StripeError(400, {
      code: 'parameter_unknown',
      message: `Received unknown parameter: ${unknown}`,
      param: unknown,
    })
  }
  const parsed = paramsSchema.safeParse(form)
  if (!parsed.success) throw refusalOf(form, parsed.error)
  const params = { ...parsed.data, expires_at: parsed.data.expires_at ?? unixSeconds() + daySeconds }
  checkTogether(params)
  return { params, form }
}

function refusalOf(form: Form, error: z.ZodError): StripeError {
  const [issue] = error.issues
  const path = issue?.path ?? []
  const param = path.map((part, at) => (at === 0 ? String(part) : `[${String(part)}]`)).join('')
  const sent = path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part],
    form,
  )
  if (sent === undefined) {
    return new StripeError(400, {
      code: 'parameter_missing',
      message: `Missing required param: ${param}.`,
      param,
    })
  }
  if (sent === '') {
    return new StripeError(400, {
      code: 'parameter_invalid_empty',
      message: `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter.`,
      param,
    })
  }
  if (param === 'customer_email') {
    return new StripeError(400, {
      code: 'email_invalid',
      message: `Invalid email address: ${JSON.stringify(sent)}`,
      param,
    })
  }
  if (param.endsWith('[unit_amount]') || param.endsWith('[quantity]') || param === 'expires_at') {
    return new StripeError(400, {
      code: 'parameter_invalid_integer',
      message: `Invalid integer: ${JSON.stringify(sent)}`,
      param,
    })
  }
  return new StripeError(400, { message: `Invalid ${param}: ${issue?.message ?? ''}`, param })
}

/** What only several parameters together can get wrong. */
function checkTogether({
  return_url: returnUrl,
  redirect_on_completion,
  expires_at,
  line_items,
}: SessionParams) {
  if (redirect_on_completion === 'never' && returnUrl !== undefined) {
    throw new StripeError(400, {
      message: '`return_url` cannot be specified when `redirect_on_completion` is set to `never`.',
      param: 'return_url',
    })
  }
  if (redirect_on_completion !== 'never' && returnUrl === undefined) {
    throw new StripeError(400, {
      code: 'parameter_missing',
      message: 'Missing required param: return_url.',
      param: 'return_url',
    })
  }
  const lifeSeconds = expires_at - unixSeconds()
  if (lifeSeconds < leastLifeSeconds || lifeSeconds > greatestLifeSeconds) {
    throw new StripeError(400, {
      message:
        lifeSeconds > greatestLifeSeconds
          ? 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.'
          : 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      param: 'expires_at',
    })
  }
  const [first] = line_items
  if (line_items.some(({ price_data }) => price_data.currency !== first?.price_data.currency)) {
    throw new StripeError(400, { message: 'All prices on a Checkout Session must have the same currency.' })
  }
  if (totalOf(line_items) < 50) {
    throw new StripeError(400, {
      code: 'amount_too_small',
      message: `The Checkout Session's total amount due must add up to at least $0.50 ${first?.price_data.currency ?? ''}`,
    })
  }
}

export function totalOf(lineItems: SessionParams['line_items']): number {
  return lineItems.reduce((sum, { price_data, quantity }) => sum + price_data.unit_amount * quantity, 0)
}
