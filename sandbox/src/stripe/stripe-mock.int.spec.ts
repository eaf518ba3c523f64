import { type StripeMock, startStripeMock } from '@earmark/launcher/stripe-mock'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

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

const said: string[] = []
const mock: StripeMock | undefined = await startStripeMock((line) => said.push(line))
if (!mock) console.log(`SKIPPED: the comparison with Stripe’s own description. ${said.join(' ')}`)

describe.skipIf(mock === undefined)('beside Stripe’s own mock', () => {
  const mockUrl = mock?.url ?? ''
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
  })
  afterAll(async () => {
    await mock?.stop()
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
