import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

let sandbox: Sandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  const { hostname, port } = new URL(sandbox.url)
  stripe = new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
})
afterAll(() => sandbox.close())

const card = {
  method: 'card',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  country: 'GB',
  number: '4242 4242 4242 4242',
  expiryMonth: 12,
  expiryYear: 2040,
  cvc: '123',
}

async function open(change: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    ui_mode: 'embedded_page',
    line_items: [
      { price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'x' } }, quantity: 2 },
    ],
    return_url: 'http://127.0.0.1:1/done?session_id={CHECKOUT_SESSION_ID}',
    ...change,
  })
}

function ask(
  { id, client_secret: secret }: Stripe.Checkout.Session,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${sandbox.url}/stripe/checkout/${id}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${secret ?? ''}` },
    body: body === undefined ? null : JSON.stringify(body),
  })
}

test('serves Stripe.js and a card page that only pages of this machine may frame', async () => {
  const script = await fetch(`${sandbox.url}/stripe/js`)
  expect(script.headers.get('content-type')).toContain('text/javascript')
  expect(await script.text()).toContain('createEmbeddedCheckoutPage')
  const page = await fetch(`${sandbox.url}/stripe/checkout/${(await open()).id}`)
  expect(page.headers.get('content-security-policy')).toMatch(
    /frame-ancestors 'self' http:\/\/localhost:\* http:\/\/127/,
  )
  const html = await page.text()
  for (const [, path = ''] of html.matchAll(/(?:href|src)="(\/[^"]+)"/g)) {
    expect((await fetch(sandbox.url + path)).status, path).toBe(200)
  }
})

test('takes a card from the page, and says where to go on', async () => {
  const session = await open()
  expect(await (await ask(session, 'details')).json()).toMatchObject({
    status: 'open',
    amount: 1000,
    returnUrl: `http://127.0.0.1:1/done?session_id=${session.id}`,
  })
  const paid = await ask(session, 'pay', card)
  expect(await paid.json()).toEqual({ result: 'complete' })
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    payment_status: 'paid',
    customer_details: { email: 'ada@example.com', name: 'Ada Lovelace', address: { country: 'GB' } },
  })
  expect((await ask(session, 'pay', card)).status).toBe(400)
})

test('asks for authentication, and takes the answer', async () => {
  const session = await open()
  const asked = await ask(session, 'pay', { ...card, number: '4000002760003184' })
  expect(await asked.json()).toEqual({ result: 'requires_action' })
  expect((await ask(session, 'authenticate', { succeeded: false })).status).toBe(402)
  expect((await ask(session, 'authenticate', { succeeded: true })).status).toBe(400)
  await ask(session, 'pay', { ...card, number: '4000002760003184' })
  expect(await (await ask(session, 'authenticate', { succeeded: true })).json()).toEqual({
    result: 'complete',
  })
})

test.each([
  ['a wrong check digit', { number: '4242424242424241' }, 402, 'incorrect_number'],
  ['a date in the past', { expiryYear: 2020 }, 402, 'invalid_expiry_year'],
  ['a short security code', { cvc: '12' }, 402, 'invalid_cvc'],
  ['no address', { email: '' }, 400, undefined],
])('refuses %s, and the session stays open', async (_, change, status, code) => {
  const session = await open()
  const answer = await ask(session, 'pay', { ...card, ...change })
  expect(answer.status).toBe(status)
  expect(((await answer.json()) as { error: { code?: string } }).error.code).toBe(code)
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'open',
    payment_intent: null,
  })
})

test('shows and takes nothing without the secret of the session itself', async () => {
  const [session, other] = [await open(), await open()]
  const stranger = { ...session, client_secret: other.client_secret }
  expect((await ask(stranger, 'details')).status).toBe(401)
  expect((await ask(stranger, 'pay', card)).status).toBe(401)
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' })
})

test('takes only the methods that the session was opened for', async () => {
  const session = await open({ excluded_payment_method_types: ['us_bank_account'] })
  const bank = { method: 'us_bank_account', email: 'a@example.com', name: null, country: null, arrives: true }
  expect((await ask(session, 'pay', bank)).status).toBe(400)
})

test('writes neither a card number nor a secret into its log', async () => {
  const session = await open()
  await ask(session, 'pay', card)
  const log = await (await fetch(`${sandbox.url}/control/requests`)).text()
  expect(log).toContain(`/stripe/checkout/${session.id}/pay`)
  expect(log).not.toMatch(/4242|_secret_/)
})
