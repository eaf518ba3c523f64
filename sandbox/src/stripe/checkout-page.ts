import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { json, type Reply, text } from '../http/reply.ts'
import type { VendorRequest } from '../vendor.ts'
import { parsedJson, readPayment } from './payment.ts'
import type { Checkout } from './session-object.ts'
import type { StripeAccount } from './stripe-account.ts'
import { StripeError } from './stripe-error.ts'
import { testCards } from './test-cards.ts'

const script = 'text/javascript; charset=utf-8'
const stripeJs = readFileSync(new URL('./browser/stripe.js', import.meta.url), 'utf8')
const assets: Record<string, Reply> = {
  'checkout.js': text(200, readFileSync(new URL('./browser/checkout.js', import.meta.url), 'utf8'), script),
  'checkout.css': text(
    200,
    readFileSync(new URL('./browser/checkout.css', import.meta.url), 'utf8'),
    'text/css; charset=utf-8',
  ),
}
const pageHtml = readFileSync(new URL('./browser/checkout.html', import.meta.url), 'utf8')

/** Only pages of this machine may frame the card page, and it loads nothing but its own. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"

/**
 * What the browser asks: `/stripe/js`, the card page `/stripe/checkout/<session>` (its client secret in the fragment,
 * so that no log ever holds it) and, with that secret as Bearer, `details`, `pay` and `authenticate` below it.
 */
export function answerCheckout(account: StripeAccount, request: VendorRequest, body: string): Reply {
  const [, , resource, id = '', action, ...rest] = request.url.pathname.split('/')
  const isGet = request.method !== 'POST'
  if (resource === 'js' && id === '') {
    const reply = text(200, stripeJs, script)
    return { ...reply, headers: { ...reply.headers, 'cross-origin-resource-policy': 'cross-origin' } }
  }
  const found = resource === 'assets' ? assets[id] : undefined
  if (found) return found
  if (resource !== 'checkout' || id === '' || rest.length > 0) return text(404, 'Nothing is here.')
  if (action === undefined && isGet) return pageReply()

  const checkout = account.checkout(id)
  const secret = request.headers.authorization?.replace(/^Bearer /, '')
  if (secret !== checkout.session.client_secret) {
    throw new StripeError(401, { message: 'The client secret is not that of this checkout.' })
  }
  if (action === 'details' && isGet) return json(200, detailsOf(account, checkout), noStore)
  if (action === 'pay' && !isGet)
    return json(200, { result: account.pay(checkout, readPayment(body)) }, noStore)
  if (action === 'authenticate' && !isGet) {
    const sent = z.strictObject({ succeeded: z.boolean() }).safeParse(parsedJson(body))
    if (!sent.success) throw new StripeError(400, { message: z.prettifyError(sent.error) })
    account.authenticate(checkout, sent.data.succeeded)
    return json(200, { result: 'complete' }, noStore)
  }
  return text(404, 'Nothing is here.')
}

const noStore = { 'cache-control': 'no-store' }

function pageReply(): Reply {
  const reply = text(200, pageHtml, 'text/html; charset=utf-8')
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'content-security-policy': pagePolicy,
      'referrer-policy': 'no-referrer',
      ...noStore,
    },
  }
}

function detailsOf({ settleAfterMs }: StripeAccount, { session, lineItems }: Checkout): unknown {
  return {
    status: session.status,
    amount: session.amount_total,
    currency: session.currency,
    lineItems: lineItems.data.map(({ description, quantity, amount_total }) => ({
      description,
      quantity,
      amount: amount_total,
    })),
    email: session.customer_email,
    methods: session.payment_method_types,
    returnUrl: session.return_url?.replace('{CHECKOUT_SESSION_ID}', session.id) ?? null,
    redirect: session.redirect_on_completion,
    settleAfterMs,
    testCards: testCards.map(({ number, brand, label }) => ({ number, brand, label })),
  }
}
