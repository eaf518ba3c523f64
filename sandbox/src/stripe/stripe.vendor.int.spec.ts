import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

let sandbox: Sandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  stripe = clientWith('sk_test_sandbox')
})
afterAll(() => sandbox.close())

function clientWith(key: string): Stripe {
  const { hostname, port } = new URL(sandbox.url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
}

const params = {
  mode: 'payment',
  ui_mode: 'embedded_page',
  line_items: [
    {
      price_data: { currency: 'usd', unit_amount: 500, product_data: { name: '50 credits' } },
      quantity: 1,
    },
  ],
  return_url: 'http://127.0.0.1:1/payment/success?session_id={CHECKOUT_SESSION_ID}',
  customer_email: 'ada@example.com',
  client_reference_id: 'account-1',
  metadata: { package: 'small' },
  payment_intent_data: { metadata: { purchase: '7' }, description: '50 credits' },
} satisfies Stripe.Checkout.SessionCreateParams

function control(path: string, body: unknown = {}): Promise<Response> {
  return fetch(`${sandbox.url}/control/stripe/${path}`, { method: 'POST', body: JSON.stringify(body) })
}

async function refused(asked: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('it was not refused')
  return error
}

test('opens a session that nobody has paid', async () => {
  const session = await stripe.checkout.sessions.create(params)
  expect(session).toMatchObject({
    object: 'checkout.session',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 500,
    currency: 'usd',
    payment_intent: null,
    customer_details: { email: 'ada@example.com' },
    client_reference_id: 'account-1',
    metadata: { package: 'small' },
  })
  expect(session.id).toMatch(/^cs_test_\w+$/)
  expect(session.client_secret).toMatch(new RegExp(`^${session.id}_secret_\\w+$`))
  expect(session.expires_at - session.created).toBe(86_400)
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    id: session.id,
    status: 'open',
  })
})

test('shows what was paid, down to the card', async () => {
  const { id } = await stripe.checkout.sessions.create(params)
  expect((await control(`sessions/${id}/pay`, { card: '4242424242424242' })).status).toBe(200)
  const session = await stripe.checkout.sessions.retrieve(id, {
    expand: ['payment_intent.latest_charge', 'line_items'],
  })
  expect(session).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    line_items: { data: [{ description: '50 credits', amount_total: 500 }] },
    payment_intent: {
      status: 'succeeded',
      amount_received: 500,
      metadata: { purchase: '7' },
      latest_charge: { paid: true, payment_method_details: { card: { brand: 'visa', last4: '4242' } } },
    },
  })
  const intent = session.payment_intent as Stripe.PaymentIntent
  const found = await stripe.checkout.sessions.list({ payment_intent: intent.id })
  expect(found.data.map((one) => one.id)).toEqual([id])
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ latest_charge: expect.any(String) })
})

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000000069', 'expired_card', undefined, 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
  ['4000000000000119', 'processing_error', undefined, expect.stringContaining('An error occurred')],
  ['4111111111111111', 'card_declined', 'test_mode_live_card', expect.stringContaining('test mode')],
])('declines %s in Stripe’s words, and lets another card pay', async (card, code, declineCode, message) => {
  const { id } = await stripe.checkout.sessions.create(params)
  const declined = await control(`sessions/${id}/pay`, { card })
  expect(declined.status).toBe(402)
  const { error } = (await declined.json()) as { error: { decline_code?: string } }
  expect(error).toMatchObject({ type: 'card_error', code, message })
  expect(error.decline_code).toBe(declineCode)
  expect(await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] })).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: { status: 'requires_payment_method', last_payment_error: { code } },
  })
  expect((await control(`sessions/${id}/pay`)).status).toBe(200)
})

test('takes a card that asks for authentication only once it is given', async () => {
  const { id } = await stripe.checkout.sessions.create(params)
  const failed = await control(`sessions/${id}/pay`, { card: '4000002500003155', authentication: 'fail' })
  expect(failed.status).toBe(402)
  expect(await failed.json()).toMatchObject({ error: { code: 'payment_intent_authentication_failure' } })
  expect((await control(`sessions/${id}/pay`, { card: '4000002760003184' })).status).toBe(200)
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ payment_status: 'paid' })
})

test.each(['succeeded', 'failed'] as const)('lets a delayed payment settle as %s', async (outcome) => {
  const { id } = await stripe.checkout.sessions.create(params)
  await control(`sessions/${id}/pay`, { method: 'us_bank_account' })
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
  })
  expect((await control(`sessions/${id}/settle`, { outcome })).status).toBe(200)
  expect((await control(`sessions/${id}/settle`, { outcome })).status).toBe(400)
  const paid = outcome === 'succeeded' ? 'paid' : 'unpaid'
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
    status: 'complete',
    payment_status: paid,
  })
  const types = (await stripe.events.list({ limit: 20 })).data
    .filter(({ data }) => 'id' in data.object && data.object.id === id)
    .map(({ type }) => type)
  expect(types).toEqual([`checkout.session.async_payment_${outcome}`, 'checkout.session.completed'])
})

test('settles a delayed payment by itself', async () => {
  await fetch(`${sandbox.url}/control/stripe`, { method: 'PUT', body: JSON.stringify({ settleAfterMs: 0 }) })
  const { id } = await stripe.checkout.sessions.create(params)
  await control(`sessions/${id}/pay`, { method: 'us_bank_account' })
  await expect.poll(() => stripe.checkout.sessions.retrieve(id)).toMatchObject({ payment_status: 'paid' })
  await fetch(`${sandbox.url}/control/stripe`, {
    method: 'PUT',
    body: JSON.stringify({ settleAfterMs: 10_000 }),
  })
})

test('expires a session, which can then not be paid', async () => {
  const { id } = await stripe.checkout.sessions.create(params)
  expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired' })
  expect(await refused(stripe.checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 })
  expect((await control(`sessions/${id}/pay`)).status).toBe(400)
  const [event] = (await stripe.events.list({ type: 'checkout.session.expired' })).data
  expect(event).toMatchObject({ data: { object: { id, status: 'expired' } } })
  expect(await stripe.events.retrieve(event?.id ?? '')).toEqual(expect.objectContaining({ id: event?.id }))
})

test('keeps an event as things were when it happened', async () => {
  const { id } = await stripe.checkout.sessions.create(params)
  await control(`sessions/${id}/pay`, { method: 'us_bank_account' })
  await control(`sessions/${id}/settle`, { outcome: 'succeeded' })
  const completed = (await stripe.events.list({ type: 'checkout.session.completed' })).data[0]
  expect(completed).toMatchObject({ data: { object: { id, payment_status: 'unpaid' } } })
})

test('refunds part of a payment, then the rest, and no more', async () => {
  const { id } = await stripe.checkout.sessions.create(params)
  await control(`sessions/${id}/pay`)
  const intent = (await stripe.checkout.sessions.retrieve(id)).payment_intent as string
  expect(await stripe.refunds.create({ payment_intent: intent, amount: 200 })).toMatchObject({ amount: 200 })
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({
    amount: 300,
    status: 'succeeded',
  })
  expect((await refused(stripe.refunds.create({ payment_intent: intent }))).code).toBe(
    'charge_already_refunded',
  )
})

test('answers the same key as the first time, and refuses it for another request', async () => {
  const first = await stripe.checkout.sessions.create(params, { idempotencyKey: 'once' })
  const again = await stripe.checkout.sessions.create(params, { idempotencyKey: 'once' })
  expect(again.id).toBe(first.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  const other = stripe.checkout.sessions.create({ ...params, metadata: {} }, { idempotencyKey: 'once' })
  expect(await refused(other)).toMatchObject({ statusCode: 400, rawType: 'idempotency_error' })
})

test.each<[string, object, { code?: string; param?: string }]>([
  ['no return address', { return_url: undefined }, { code: 'parameter_missing', param: 'return_url' }],
  ['no line items', { line_items: undefined }, { code: 'parameter_missing', param: 'line_items' }],
  [
    'a price without currency',
    { line_items: [{ price_data: { unit_amount: 5, product_data: { name: 'x' } }, quantity: 1 }] },
    { code: 'parameter_missing', param: 'line_items[0][price_data][currency]' },
  ],
  ['a name that Stripe does not know', { credits: 5 }, { code: 'parameter_unknown', param: 'credits' }],
  ['no e-mail address', { customer_email: 'ada' }, { code: 'email_invalid' }],
  ['a life of a minute', { expires_at: Math.floor(Date.now() / 1000) + 60 }, { param: 'expires_at' }],
  [
    'less than fifty cents',
    {
      line_items: [
        { ...params.line_items[0], price_data: { ...params.line_items[0]?.price_data, unit_amount: 49 } },
      ],
    },
    { code: 'amount_too_small' },
  ],
])('refuses %s as Stripe does', async (_, change, expected) => {
  const error = await refused(stripe.checkout.sessions.create({ ...params, ...change }))
  expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', ...expected })
})

test('knows neither a session nor a path that is not there', async () => {
  expect(await refused(stripe.checkout.sessions.retrieve('cs_test_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    requestId: expect.stringMatching(/^req_/),
  })
  expect(await refused(stripe.customers.list())).toMatchObject({ statusCode: 404 })
})

test.each(['', 'pk_test_1', 'sk_live_1', 'nonsense'])('refuses the key %j', async (key) => {
  const answer = await fetch(`${sandbox.url}/v1/balance`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
  })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
})

test('has a balance, which is what a configuration check asks for', async () => {
  expect(await stripe.balance.retrieve()).toMatchObject({ object: 'balance', livemode: false })
})
