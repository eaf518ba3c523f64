import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

/** Stripe's own mock of its API, which answers by Stripe's description of it. */
function findStripeMock(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go', 'bin')]
  return folders.map((folder) => join(folder, 'stripe-mock')).find((path) => existsSync(path))
}

const stripeMock = findStripeMock()
if (stripeMock === undefined)
  console.log('Not compared with Stripe’s description: there is no stripe-mock here.')

/** The paths at which `given` lacks a field that `described` has, or has it as another type. Null is any type. */
function differences(described: unknown, given: unknown, path: string): string[] {
  if (described === null || given === null) return []
  if (typeof described !== typeof given || Array.isArray(described) !== Array.isArray(given)) {
    return [`${path}: ${typeof given} where Stripe has ${typeof described}`]
  }
  if (typeof described !== 'object' || Array.isArray(described)) return []
  return Object.entries(described).flatMap(([name, value]) =>
    name in (given as object)
      ? differences(value, (given as Record<string, unknown>)[name], `${path}.${name}`)
      : [`${path}.${name} is missing`],
  )
}

describe.skipIf(stripeMock === undefined)('beside Stripe’s own mock', () => {
  let sandbox: Sandbox
  let mock: ChildProcess
  let mockUrl = ''

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
    mock = spawn(stripeMock ?? '', ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const port = await new Promise<string>((resolve, reject) => {
      let said = ''
      mock.once('error', reject)
      mock.stdout?.on('data', (part) => {
        said += String(part)
        const [, found] = /HTTP at address: \S+:(\d+)/.exec(said) ?? []
        if (found !== undefined) resolve(found)
      })
    })
    mockUrl = `http://127.0.0.1:${port}`
  })
  afterAll(async () => {
    mock.kill()
    await sandbox.close()
  })

  async function json(url: string, body?: URLSearchParams): Promise<unknown> {
    const method = body ? 'POST' : 'GET'
    const answer = await fetch(url, {
      method,
      headers: { authorization: 'Bearer sk_test_1' },
      body: body ?? null,
    })
    expect(answer.status, url).toBe(200)
    return answer.json()
  }

  test('every answer has every field that Stripe’s description has', async () => {
    const params = new URLSearchParams({
      mode: 'payment',
      ui_mode: 'embedded_page',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '500',
      'line_items[0][price_data][product_data][name]': 'x',
      return_url: 'http://127.0.0.1:1/{CHECKOUT_SESSION_ID}',
      customer_email: 'ada@example.com',
    })
    const described = await json(`${mockUrl}/v1/checkout/sessions`, params)
    const session = (await json(`${sandbox.url}/v1/checkout/sessions`, params)) as Stripe.Checkout.Session
    expect(differences(described, session, 'session')).toEqual([])

    await fetch(`${sandbox.url}/control/stripe/sessions/${session.id}/pay`, { method: 'POST', body: '{}' })
    const paid = (await json(`${sandbox.url}/v1/checkout/sessions/${session.id}`)) as Stripe.Checkout.Session
    const intentPath = `/v1/payment_intents/${paid.payment_intent as string}`
    const intent = (await json(sandbox.url + intentPath)) as Stripe.PaymentIntent
    const { data } = (await json(`${sandbox.url}/v1/events`)) as { data: Stripe.Event[] }
    const paths = [
      `/v1/checkout/sessions/${session.id}`,
      intentPath,
      `/v1/charges/${intent.latest_charge as string}`,
      `/v1/checkout/sessions/${session.id}/line_items`,
      '/v1/checkout/sessions',
      '/v1/balance',
    ]
    for (const path of paths) {
      expect(differences(await json(mockUrl + path), await json(sandbox.url + path), path)).toEqual([])
    }
    const eventPath = `/v1/events/${data[0]?.id ?? ''}`
    // The mock's event is about a plan; what ours is about was compared above.
    const { data: _about, ...event } = (await json(mockUrl + eventPath)) as Stripe.Event
    expect(differences(event, await json(sandbox.url + eventPath), 'event')).toEqual([])
  })
})
