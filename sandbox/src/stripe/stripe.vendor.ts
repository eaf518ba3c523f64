import { readText } from '../http/body.ts'
import { json, type Reply } from '../http/reply.ts'
import type { Vendor, VendorRequest } from '../vendor.ts'
import { answerCheckout } from './checkout-page.ts'
import { parseForm } from './form.ts'
import { IdempotentReplies } from './idempotency.ts'
import { newId } from './ids.ts'
import { apiVersion } from './payment-objects.ts'
import type { StripeAccount } from './stripe-account.ts'
import { answerApi } from './stripe-api.ts'
import { errorReply, StripeError } from './stripe-error.ts'

const greatestBodyBytes = 1_000_000

/**
 * Stripe's API (https://docs.stripe.com/api) with Checkout Sessions in embedded mode, Stripe.js for them at
 * `/stripe/js`, and the card page. Any `sk_test_` key will do; what is kept is one account's.
 */
export function stripe(account: StripeAccount): Vendor {
  const replies = new IdempotentReplies()
  return {
    name: 'stripe',
    title: 'Stripe',
    description:
      'Checkout sessions with a card page of their own, payments, events and refunds. No money moves.',
    paths: ['/v1/', '/stripe/'],
    methods: ['GET', 'HEAD', 'POST'],
    failure: (status, message) =>
      errorReply(
        new StripeError(status, { type: status >= 500 ? 'api_error' : 'invalid_request_error', message }),
      ),
    answer: async (request) => {
      try {
        const body = await readText(request.body, greatestBodyBytes)
        if (body === undefined) throw new StripeError(413, { message: 'The request is too large.' })
        return request.url.pathname.startsWith('/stripe/')
          ? answerCheckout(account, request, body)
          : answerWithKey(account, replies, request, body)
      } catch (error) {
        if (!(error instanceof StripeError)) throw error
        const reply = errorReply(error)
        return { ...reply, headers: { ...reply.headers, 'request-id': newId('req_', 14) } }
      }
    },
  }
}

/** How the account's webhooks go wrong and what they met; it has no paths, since it asks and does not answer. */
export function stripeWebhooks(): Vendor {
  return {
    name: 'stripe_webhooks',
    title: 'Stripe’s webhooks',
    description:
      'The events that go out to Earmark. While it is slow they come late; any other fault keeps them back, and ' +
      'they are tried again.',
    paths: [],
    methods: [],
    failure: (status) => ({ status }),
    answer: () => ({ status: 404 }),
  }
}

function answerWithKey(
  account: StripeAccount,
  replies: IdempotentReplies,
  { method, url, headers }: VendorRequest,
  body: string,
): Reply {
  const ids = {
    'request-id': newId('req_', 14),
    'stripe-version': String(headers['stripe-version'] ?? apiVersion),
  }
  checkKey(headers.authorization, method === 'POST' && url.pathname === '/v1/tokens')
  const key = method === 'POST' ? headers['idempotency-key'] : undefined
  const told = `${method} ${url.pathname} ${body}`
  if (typeof key === 'string') {
    const before = replies.find(key, told)
    if (before) return before
  }
  const query = parseForm(url.search.slice(1))
  const answer = answerApi(account, {
    method: method === 'HEAD' ? 'GET' : method,
    path: url.pathname,
    query,
    body,
  })
  const reply = json(200, answer, { ...ids, ...(typeof key === 'string' && { 'idempotency-key': key }) })
  // What is refused is not kept, as at Stripe: nothing had begun.
  if (typeof key === 'string') replies.keep(key, told, reply)
  return reply
}

/** A card's token alone may be made with the publishable key. */
function checkKey(authorization = '', takesPublishable: boolean): void {
  const [scheme = '', credentials = ''] = authorization.split(' ')
  const key =
    scheme === 'Basic' ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '') : credentials
  if (key === '') {
    throw new StripeError(401, {
      message:
        'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer ' +
        "auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for " +
        'details, or we can help at https://support.stripe.com/.',
    })
  }
  if (takesPublishable && /^pk_test_\w+$/.test(key)) return
  if (key.startsWith('pk_')) {
    throw new StripeError(401, {
      code: 'secret_key_required',
      message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
    })
  }
  if (!/^[sr]k_test_\w+$/.test(key)) {
    throw new StripeError(401, { message: `Invalid API Key provided: ${key.slice(0, 8)}****` })
  }
}
