import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'

const secret = 'whsec_test'
let folder: string
let running: { process: ChildProcess; url: string; stripe: Stripe }
let received: Stripe.Event[]
/** What the receiver of the webhooks answers; null: nothing, for ever. */
let answer: number | null
let receiver: ReturnType<typeof createServer>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earmark-sandbox-'))
  received = []
  answer = 200
  receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const signature = request.headers['stripe-signature'] ?? ''
      received.push(running.stripe.webhooks.constructEvent(Buffer.concat(parts), signature, secret))
      if (answer !== null) response.writeHead(answer).end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  running = await start()
})

afterEach(async () => {
  await kill()
  receiver.closeAllConnections()
  receiver.close()
  rmSync(folder, { recursive: true })
})

async function start(env: Record<string, string> = {}): Promise<typeof running> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: {
      ...process.env,
      SANDBOX_PORT: '0',
      SANDBOX_DATA: folder,
      STRIPE_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`,
      STRIPE_WEBHOOK_SECRET: secret,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const part of child.stdout) {
    said += String(part)
    if (said.includes('mail to')) break
  }
  const [, url = ''] = /listening on (\S+)/.exec(said) ?? []
  const { hostname, port } = new URL(url)
  const stripe = new Stripe('sk_test_sandbox', {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
  })
  return { process: child, url, stripe }
}

async function kill(): Promise<void> {
  running.process.kill('SIGKILL')
  await once(running.process, 'exit')
}

async function killAndStart(env?: Record<string, string>): Promise<void> {
  await kill()
  running = await start(env)
}

function control(method: string, path: string, body: unknown = {}): Promise<Response> {
  return fetch(`${running.url}/control/${path}`, { method, body: JSON.stringify(body) })
}

async function open(methods: string[] = ['card']): Promise<string> {
  const session = await running.stripe.checkout.sessions.create({
    mode: 'payment',
    ui_mode: 'embedded_page',
    line_items: [
      { price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'x' } }, quantity: 1 },
    ],
    return_url: 'http://127.0.0.1:1/{CHECKOUT_SESSION_ID}',
    allowed_payment_method_types: methods,
  })
  return session.id
}

const completions = () => received.filter(({ type }) => type === 'checkout.session.completed')

const expand = ['payment_intent.latest_charge', 'line_items']
const retrieve = (id: string) => running.stripe.checkout.sessions.retrieve(id, { expand })

test('a session that was opened before a kill can be paid after it', async () => {
  const id = await open()
  const before = await retrieve(id)
  await killAndStart()
  expect(await retrieve(id)).toEqual(before)
  expect((await control('POST', `stripe/sessions/${id}/pay`)).status).toBe(200)
  await expect.poll(() => completions().map(({ data }) => data.object)).toMatchObject([{ id }])
})

test('a payment before a kill is known after it, and its events are brought then', async () => {
  await control('PUT', 'faults/stripe_webhooks', { kind: 'down' })
  const id = await open()
  await control('POST', `stripe/sessions/${id}/pay`, { email: 'ada@example.com' })
  const before = await retrieve(id)
  expect(received).toEqual([])

  await killAndStart()
  const after = await retrieve(id)
  expect(after).toMatchObject({ status: 'complete', payment_status: 'paid' })
  expect(after).toEqual(before)
  await expect
    .poll(() => received.map(({ type }) => type).sort())
    .toEqual(['charge.succeeded', 'checkout.session.completed', 'payment_intent.succeeded'])
  const { data } = await running.stripe.events.list()
  expect(data.map((event) => event.id).sort()).toEqual(received.map((event) => event.id).sort())
})

test('an event whose receiver had not answered is brought again, and one that was taken is not', async () => {
  const first = await open()
  await control('POST', `stripe/sessions/${first}/pay`)
  await expect.poll(async () => (await pending()).length).toBe(0)
  answer = null
  const second = await open()
  await control('POST', `stripe/sessions/${second}/expire`)
  await expect.poll(() => received.length).toBe(4)

  answer = 200
  await killAndStart()
  await expect.poll(() => received.length).toBe(5)
  await expect.poll(async () => (await pending()).length).toBe(0)
  expect(received.map(({ type }) => type).slice(3)).toEqual(Array(2).fill('checkout.session.expired'))
  expect(new Set(received.map((event) => event.id)).size).toBe(4)
})

test('attempts are counted on', async () => {
  answer = 500
  const id = await open()
  await control('POST', `stripe/sessions/${id}/expire`)
  await expect.poll(async () => (await deliveries()).at(-1)?.status).toBe(500)
  answer = 200
  await killAndStart()
  await expect.poll(deliveries).toMatchObject([
    { attempt: 1, status: 500 },
    { attempt: 2, status: 200 },
  ])
})

test('a refund, a bank transfer on its way and a card that waits for its owner are kept', async () => {
  const [paid, delayed, asking] = [await open(), await open(['us_bank_account']), await open()]
  await control('POST', `stripe/sessions/${paid}/pay`)
  const intent = (await running.stripe.checkout.sessions.retrieve(paid)).payment_intent as string
  const refund = await running.stripe.refunds.create({ payment_intent: intent, amount: 400 })
  await control('PUT', 'stripe', { settleAfterMs: 2000 })
  await control('POST', `stripe/sessions/${delayed}/pay`, { method: 'us_bank_account' })
  expect((await payOnPage(asking, 'pay', card)).result).toBe('requires_action')

  await killAndStart()
  expect(await running.stripe.refunds.retrieve(refund.id)).toMatchObject({ amount: 400 })
  expect(await retrieve(paid)).toMatchObject({ payment_intent: { latest_charge: { amount_refunded: 400 } } })
  expect((await payOnPage(asking, 'authenticate', { succeeded: true })).result).toBe('complete')
  expect(await retrieve(asking)).toMatchObject({ payment_status: 'paid' })
  await expect.poll(async () => (await retrieve(delayed)).payment_status, { timeout: 5000 }).toBe('paid')
})

test('the half line of a write that a kill cut off is left out, and what follows is kept', async () => {
  const first = await open()
  await kill()
  appendFileSync(join(folder, 'stripe.jsonl'), '{"checkouts":[{"session":{"id":"cs_te')
  running = await start()
  const second = await open()
  await killAndStart()
  expect(await retrieve(first)).toMatchObject({ id: first })
  expect(await retrieve(second)).toMatchObject({ id: second })
})

test('what is older than a month is forgotten', async () => {
  const old = await open()
  const young = await open()
  await kill()
  const file = join(folder, 'stripe.jsonl')
  const monthAgo = Math.floor(Date.now() / 1000) - 31 * 86_400
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const aged = lines.find((line) => line.includes(old))?.replace(/"created":\d+/g, `"created":${monthAgo}`)
  appendFileSync(file, `${aged}\n`)
  running = await start()
  await expect(retrieve(old)).rejects.toThrow('No such checkout.session')
  expect(await retrieve(young)).toMatchObject({ id: young })
  expect(readFileSync(file, 'utf8')).not.toContain(old)
})

test('without a folder nothing is kept', async () => {
  const id = await open()
  await killAndStart({ SANDBOX_DATA: '' })
  await expect(retrieve(id)).rejects.toThrow('No such checkout.session')
})

const card = {
  method: 'card',
  number: '4000002500003155',
  expiryMonth: 12,
  expiryYear: 2040,
  cvc: '123',
  email: 'ada@example.com',
  name: null,
  country: null,
}

async function payOnPage(id: string, action: string, body: unknown): Promise<{ result?: string }> {
  const { client_secret: clientSecret } = await running.stripe.checkout.sessions.retrieve(id)
  const reply = await fetch(`${running.url}/stripe/checkout/${id}/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${clientSecret ?? ''}` },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as { result?: string }
}

async function deliveries() {
  const settings = await (await fetch(`${running.url}/control/stripe`)).json()
  return (settings as { deliveries: { attempt: number; status: number | null }[] }).deliveries
}

async function pending() {
  const { data } = await running.stripe.events.list({ limit: 100 })
  return data.filter(({ pending_webhooks: count }) => count > 0)
}
