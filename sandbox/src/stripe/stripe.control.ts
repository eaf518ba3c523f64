import { z } from 'zod'
import { json, type Reply } from '../http/reply.ts'
import { type Payment, readPayment } from './payment.ts'
import type { Checkout } from './session-object.ts'
import type { StripeAccount } from './stripe-account.ts'
import { errorReply, StripeError } from './stripe-error.ts'

const settingsSchema = z.strictObject({
  webhookUrl: z.url({ protocol: /^https?$/ }).nullish(),
  webhookSecret: z.string().min(1).optional(),
  settleAfterMs: z.int().min(0).max(86_400_000).nullish(),
})

const paySchema = z.strictObject({
  card: z.string().default('4242424242424242'),
  method: z.enum(['card', 'us_bank_account']).default('card'),
  email: z.email().optional(),
  /** For a card that asks for it. */
  authentication: z.enum(['complete', 'fail']).default('complete'),
  /** For a bank transfer, where it is left to settle by itself. */
  arrives: z.boolean().default(true),
})

const settleSchema = z.strictObject({ outcome: z.enum(['succeeded', 'failed']) })

/**
 * - `/control/stripe`: GET the settings and the latest deliveries, PUT `{webhookUrl, webhookSecret, settleAfterMs}`.
 * - `/control/stripe/sessions`: GET all; POST `<id>/pay`, `<id>/expire` and `<id>/settle` below it.
 * - `/control/stripe/events`: GET all; POST `<id>/resend`.
 */
export function answerStripeControl(
  account: StripeAccount,
  method: string,
  [resource, id, action]: string[],
  sent: unknown,
): Reply {
  try {
    if (resource === undefined) return settings(account, method, sent)
    if (resource === 'sessions' && id === undefined && method === 'GET') {
      return json(200, { sessions: [...account.checkouts.values()].map(({ session }) => session).reverse() })
    }
    if (resource === 'events' && id === undefined && method === 'GET') {
      return json(200, { events: [...account.events.values()].reverse() })
    }
    if (method !== 'POST' || id === undefined) return refusal(404, 'No such control.')
    if (resource === 'events' && action === 'resend') return resend(account, id)
    if (resource === 'sessions') return act(account, account.checkout(id), action, sent)
    return refusal(404, 'No such control.')
  } catch (error) {
    if (error instanceof StripeError) return errorReply(error)
    if (error instanceof z.ZodError) return refusal(422, z.prettifyError(error))
    throw error
  }
}

function settings(account: StripeAccount, method: string, sent: unknown): Reply {
  const { webhooks } = account
  if (method === 'PUT') {
    const { webhookUrl, webhookSecret, settleAfterMs } = settingsSchema.parse(sent)
    const { url, secret } = webhooks.target
    webhooks.target = {
      url: webhookUrl === undefined ? url : webhookUrl,
      secret: webhookSecret ?? secret,
    }
    if (settleAfterMs !== undefined) account.settleAfterMs = settleAfterMs
  } else if (method !== 'GET') return refusal(405, 'GET or PUT.')
  return json(200, {
    webhookUrl: webhooks.target.url,
    webhookSecret: webhooks.target.secret,
    settleAfterMs: account.settleAfterMs,
    deliveries: webhooks.deliveries,
  })
}

function act(account: StripeAccount, checkout: Checkout, action: string | undefined, sent: unknown): Reply {
  switch (action) {
    case 'pay': {
      const options = paySchema.parse(sent ?? {})
      if (account.pay(checkout, paymentFor(checkout, options)) === 'requires_action') {
        account.authenticate(checkout, options.authentication === 'complete')
      }
      break
    }
    case 'expire':
      account.expire(checkout)
      break
    case 'settle':
      account.settle(checkout, settleSchema.parse(sent ?? {}).outcome)
      break
    default:
      return refusal(404, 'No such control.')
  }
  return json(200, checkout.session)
}

function paymentFor(
  { session }: Checkout,
  { card, method, email, arrives }: z.infer<typeof paySchema>,
): Payment {
  const payer = {
    email: email ?? session.customer_email ?? 'payer@example.com',
    name: 'Pat Payer',
    country: 'US',
  }
  const isAmex = card.startsWith('3')
  return readPayment(
    JSON.stringify(
      method === 'card'
        ? { ...payer, method, number: card, expiryMonth: 12, expiryYear: 2040, cvc: isAmex ? '1234' : '123' }
        : { ...payer, method, arrives },
    ),
  )
}

function resend(account: StripeAccount, id: string): Reply {
  const event = account.events.get(id)
  if (!event) return refusal(404, 'No such event.')
  account.webhooks.send(event)
  return json(202, event)
}

function refusal(status: number, detail: string): Reply {
  return json(status, { detail })
}
