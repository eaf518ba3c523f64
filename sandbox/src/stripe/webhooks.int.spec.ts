import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

type Received = { event: Stripe.Event; headers: IncomingMessage['headers'] }

const secret = 'whsec_test'
let sandbox: Sandbox
let stripe: Stripe
let received: Received[]
/** What the receiver answers, one after the other; then 200. */
let answers: number[]
let receiver: ReturnType<typeof createServer>
let webhookUrl: string

beforeEach(async () => {
  received = []
  answers = []
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const signature = request.headers['stripe-signature'] ?? ''
      const event = stripe.webhooks.constructEvent(Buffer.concat(parts), signature, secret)
      received.push({ event, headers: request.headers })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`
  sandbox = await startSandbox({ port: 0, webhookUrl, webhookSecret: secret })
  const { hostname, port } = new URL(sandbox.url)
  stripe = new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
})

afterEach(async () => {
  await sandbox.close()
  receiver.close()
})

function control(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${sandbox.url}/control/${path}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
  })
}

async function open(): Promise<string> {
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    ui_mode: 'embedded_page',
    line_items: [
      { price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'x' } }, quantity: 1 },
    ],
    return_url: 'http://127.0.0.1:1/{CHECKOUT_SESSION_ID}',
  })
  return session.id
}

const types = () => received.map(({ event }) => event.type).sort()

test('brings each event of a payment, signed so that Stripe’s own client takes it', async () => {
  const id = await open()
  await control('POST', `stripe/sessions/${id}/pay`, { email: 'ada@example.com' })
  await expect
    .poll(types)
    .toEqual(['charge.succeeded', 'checkout.session.completed', 'payment_intent.succeeded'])
  const completed = received.find(({ event }) => event.type === 'checkout.session.completed')
  expect(completed).toMatchObject({
    event: {
      object: 'event',
      api_version: '2026-10-28.endive',
      data: { object: { id, payment_status: 'paid', customer_details: { email: 'ada@example.com' } } },
    },
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': expect.stringContaining('Stripe/1.0'),
    },
  })
  const events = await stripe.events.list()
  expect(events.data.map((event) => event.id).sort()).toEqual(received.map(({ event }) => event.id).sort())
})

test('tries again until it is taken', async () => {
  answers = [500]
  const id = await open()
  await control('POST', `stripe/sessions/${id}/expire`)
  await expect
    .poll(types, { timeout: 4000 })
    .toEqual(['checkout.session.expired', 'checkout.session.expired'])
  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1)
  const { deliveries } = (await (await control('GET', 'stripe')).json()) as {
    deliveries: { status: number }[]
  }
  expect(deliveries).toMatchObject([
    { attempt: 1, status: 500 },
    { attempt: 2, status: 200 },
  ])
})

test('keeps events back while it is told to, and sends one again when it is asked', async () => {
  await control('PUT', 'faults/stripe_webhooks', { kind: 'down' })
  const id = await open()
  await control('POST', `stripe/sessions/${id}/pay`)
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ payment_status: 'paid' })
  await control('DELETE', 'faults/stripe_webhooks')
  const [completed] = (await stripe.events.list({ type: 'checkout.session.completed' })).data
  expect(completed?.pending_webhooks).toBe(1)
  await control('POST', `stripe/events/${completed?.id ?? ''}/resend`)
  await expect.poll(types).toContain('checkout.session.completed')
  const requests = await (await control('GET', 'requests')).text()
  expect(requests).toContain(`${webhookUrl} checkout.session.completed`)
})

test('goes where it is told while it runs, or nowhere', async () => {
  await control('PUT', 'stripe', { webhookUrl: null })
  await control('POST', `stripe/sessions/${await open()}/expire`)
  await control('PUT', 'stripe', { webhookUrl: `${webhookUrl}/other`, webhookSecret: secret })
  const second = await open()
  await control('POST', `stripe/sessions/${second}/expire`)
  await expect.poll(types).toEqual(['checkout.session.expired'])
  expect(received[0]?.event.data.object).toMatchObject({ id: second })
})

test.each([
  [{ webhookUrl: 'file:///etc' }, 422],
  [{ webhookSecret: '' }, 422],
  [{ other: 1 }, 422],
])('refuses the settings %j', async (settings, status) => {
  expect((await control('PUT', 'stripe', settings)).status).toBe(status)
})
