import { randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { startSandbox } from '@earmark/sandbox/server'
import { startStripeMock } from '@earmark/launcher/stripe-mock'
import fc from 'fast-check'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/app.ts'
import { everythingTwice, type Jobs, prepareJobs } from '../../test/jobs.ts'
import { namespaces } from '../../test/servers.ts'
import { readCreditEvent } from '../credits/credit-event.schema.ts'
import { accountStream } from '../credits/ledger.ts'
import { EventStore } from '../platform/event-store/event-store.ts'
import { DATABASE, type Database } from '../platform/postgres/postgres.module.ts'
import { PaymentConfirmation } from './payment-confirmation.ts'
import { ReconcilePayments } from './reconcile-payments/reconcile-payments.ts'

const webhookSecret = 'whsec_of_the_tests'
const stripe = new Stripe('sk_test_sandbox')

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

/** What happens to one checkout at the provider, how often each speaks of it, and in which order. */
const storyArbitrary = fc.record({
  end: fc.constantFrom('paid', 'settled', 'settlement_failed', 'expired', 'abandoned'),
  copies: fc.integer({ min: 1, max: 5 }),
  places: fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
  hasReturnPage: fc.boolean(),
})
type Story = typeof storyArbitrary extends fc.Arbitrary<infer T> ? T : never

type Session = { session_id: string; client_secret: string }
type SignedUp = Awaited<ReturnType<TestApp['signUp']>>

describe('payments on real Temporal and PostgreSQL', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  let app: TestApp
  let jobs: Jobs

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
    app = await startApp({
      TEMPORAL_NAMESPACE: namespaces.payments,
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: sandbox.url,
      STRIPE_JS_URL: `${sandbox.url}/stripe/js`,
      SMTP_URL: sandbox.smtpUrl,
      VENDOR_ATTEMPTS: '2',
      // The least that can be set: each checkout here must be openable with it.
      CHECKOUT_MINUTES: '35',
    })
    jobs = await prepareJobs(app.config)
  })

  beforeEach(async () => {
    await jobs.start()
  })

  afterEach(async () => {
    await jobs.stop()
    await control('DELETE', '/faults')
  })

  afterAll(async () => {
    await jobs.close()
    await app.close()
    await sandbox.close()
  })

  it('lists the packages on offer to anybody', async () => {
    const { status, body } = await app.call('GET', '/payments/packages')
    expect(status).toBe(200)
    expect(body.packages).toMatchObject([
      { id: 'starter', credits: 5, price: 5 },
      { id: 'regular', credits: 20, price: 18 },
      { id: 'studio', credits: 50, price: 40 },
    ])
  })

  it('credits what was paid, says so, and mails a receipt', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    expect(session).toMatchObject({
      publishable_key: 'pk_test_sandbox',
      stripe_js_url: `${sandbox.url}/stripe/js`,
    })
    expect(await statusOf(user, session)).toMatchObject({ status: 'open', customer_email: null })

    await pay(session)
    expect(await complete(user, session)).toMatchObject({
      status: 200,
      body: { status: 'complete', customer_email: user.email },
    })
    expect(await balance(user)).toBe(5)
    await jobs.workflow(workflowOf(session)).result()
    await jobs.keepHistory('confirm-payment.success', workflowOf(session))

    const { body } = await app.call('GET', '/credits/transactions', { token: user.token })
    expect(body.transactions).toMatchObject([
      {
        transaction_type: 'add',
        operation_type: 'purchase',
        amount: 5,
        balance_after: 5,
        description: 'Starter, 5 credits',
      },
    ])
    const mails = await mailTo(user.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toBe('Your Earmark receipt: 5 credits')
  })

  it('comes to the same end when each step runs twice', async () => {
    await jobs.stop()
    await jobs.start(everythingTwice())
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    expect(await complete(user, session)).toMatchObject({ body: { status: 'complete' } })
    await jobs.workflow(workflowOf(session)).result()
    expect(await grants(user)).toEqual([5_000_000])
    expect(await mailTo(user.email)).toHaveLength(1)
    await jobs.keepHistory('confirm-payment.every-activity-twice', workflowOf(session))
  })

  it('credits and charges nothing for a card that was declined, and lets another be tried', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session, { card: '4000000000000002' }, 402)
    expect(await statusOf(user, session)).toMatchObject({ status: 'open', customer_email: null })
    expect(await grants(user)).toEqual([])
    await pay(session)
    expect(await statusOf(user, session)).toMatchObject({ status: 'complete' })
    expect(await grants(user)).toEqual([5_000_000])
  })

  it('says that an expired checkout was not paid', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await control('POST', `/stripe/sessions/${session.session_id}/expire`)
    expect(await statusOf(user, session)).toMatchObject({ status: 'expired', customer_email: null })
    expect(await grants(user)).toEqual([])
    await jobs.keepHistory('confirm-payment.expired', workflowOf(session))
  })

  it('waits for a payment that settles later, and adds nothing when it fails', async () => {
    const user = await app.signUp()
    const sessions: Session[] = []
    for (let count = 0; count < 2; count += 1) {
      // While one is on its way, another can be opened.
      const session = await buy(user)
      sessions.push(session)
      await pay(session, { method: 'us_bank_account' })
      expect(await statusOf(user, session)).toMatchObject({
        status: 'open',
        detail: expect.stringMatching(/^Your payment is on its way/),
      })
    }
    const [arrives, fails] = sessions as [Session, Session]
    await looksAgainAfterAWhile(fails)
    await looksAgainAfterAWhile(arrives)
    await control('POST', `/stripe/sessions/${arrives.session_id}/settle`, { outcome: 'succeeded' })
    await control('POST', `/stripe/sessions/${fails.session_id}/settle`, { outcome: 'failed' })
    expect(await statusOf(user, arrives)).toMatchObject({ status: 'complete' })
    expect(await statusOf(user, fails)).toMatchObject({ status: 'failed' })
    expect(await grants(user)).toEqual([5_000_000])
    await jobs.keepHistory('confirm-payment.failed', workflowOf(fails))
  })

  it('credits by the webhook alone', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    expect(await deliver(eventOf(session))).toBe(200)
    await jobs.workflow(workflowOf(session)).result()
    expect(await grants(user)).toEqual([5_000_000])
  })

  it('credits by the reconciler alone, within ten minutes', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    const reconciler = app.app.get(ReconcilePayments)
    await reconciler.reconcile(new Date(Date.now() + 10 * 60_000))
    await jobs.workflow(workflowOf(session)).result()
    expect(await grants(user)).toEqual([5_000_000])
  })

  it('looks again at an open checkout every five minutes at least', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    const reconciler = app.app.get(ReconcilePayments)
    const start = Date.now()
    for (let minutes = 5; minutes <= 60; minutes += 5) {
      await reconciler.reconcile(new Date(start + minutes * 60_000))
      const { next_look_at } = await rowOf(session)
      expect(next_look_at.getTime()).toBeLessThanOrEqual(start + (minutes + 5) * 60_000)
    }
  })

  it('answers one event that comes 100 times at once 100 times, and credits once', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    const event = eventOf(session)
    const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(event)))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await complete(user, session)).toMatchObject({ body: { status: 'complete' } })
    expect(await grants(user)).toEqual([5_000_000])
  })

  it(`credits once, or nothing, in every order of what can happen (SEED=${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(storyArbitrary, { minLength: 12, maxLength: 12 }), async (stories) => {
        await Promise.all(stories.map(live))
      }),
      { seed, numRuns: 1, endOnFailure: true },
    )
  })

  it.each([
    ['without a signature', () => ({})],
    ['with a bad one', () => ({ 'stripe-signature': `t=${now()},v1=${'0'.repeat(64)}` })],
    ['signed by another secret', (body: string) => signed(body, { secret: 'whsec_of_somebody_else' })],
    ['301 seconds old', (body: string) => signed(body, { timestamp: now() - 301 })],
    ['with a signature of other bytes', (body: string) => signed(JSON.stringify(JSON.parse(body), null, 1))],
  ])('refuses a message %s and writes nothing', async (_, headersOf) => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    const body = JSON.stringify(eventOf(session))
    const answer = await app.call('POST', '/payments/webhook', { body, headers: headersOf(body) })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_signature' } })
    expect(await rowOf(session)).toMatchObject({ status: 'open' })
    await expect(jobs.workflow(workflowOf(session)).describe()).rejects.toThrow()
  })

  it('takes a signed message about a checkout that is not ours, and one of a kind that it does not know', async () => {
    expect(await deliver(eventOf({ session_id: 'cs_test_of_another_shop' }))).toBe(200)
    expect(await deliver({ ...eventOf({ session_id: 'cs_test_x' }), type: 'customer.created' })).toBe(200)
  })

  it('does not show one user the checkout of another', async () => {
    const [owner, stranger] = [await app.signUp(), await app.signUp()]
    const session = await buy(owner)
    await pay(session)
    const query = `session_id=${session.session_id}`
    for (const [method, route] of [
      ['GET', `/payments/session-status?${query}`],
      ['POST', `/payments/complete-payment?${query}`],
    ] as const) {
      expect(await app.call(method, route, { token: stranger.token })).toMatchObject({ status: 404 })
    }
    expect(await grants(stranger)).toEqual([])
  })

  it('refuses a package that is unknown or has changed since it was shown', async () => {
    const { token } = await app.signUp()
    const post = (body: unknown) => app.call('POST', '/payments/create-checkout-session', { token, body })
    expect(await post({ package_id: 'yacht' })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await post({ package_id: 'starter', price: 4.99 })).toMatchObject({
      status: 409,
      body: {
        code: 'package_changed',
        detail: 'This package has changed: it is now 5 credits for $5.00. Nothing was charged.',
      },
    })
    expect(await post({ package_id: 'starter', price: 5, credits: 6 })).toMatchObject({ status: 409 })
    expect(await post({ package_id: 'starter', price: 5, credits: 5 })).toMatchObject({ status: 200 })
  })

  it('credits what was on offer when the checkout was opened, whatever it costs now', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    const changed = database().updateTable('credit_packages').where('id', '=', 'starter')
    await changed.set({ credits_microcredits: 1 }).execute()
    try {
      await pay(session)
      expect(await statusOf(user, session)).toMatchObject({ status: 'complete' })
      expect(await grants(user)).toEqual([5_000_000])
    } finally {
      await changed.set({ credits_microcredits: 5_000_000 }).execute()
    }
  })

  it('credits nothing where another amount was paid than our record says, and leaves it to an operator', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await database()
      .updateTable('payments')
      .set({ price_cents: 600 })
      .where('session_id', '=', session.session_id)
      .execute()
    await pay(session)
    expect(await statusOf(user, session)).toMatchObject({
      status: 'review',
      detail: expect.stringMatching(/You need not pay again\.$/),
    })
    expect(await grants(user)).toEqual([])
    await jobs.keepHistory('confirm-payment.review', workflowOf(session))
  })

  it('waits out a card provider that is down', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    await control('PUT', '/faults', { stripe: { kind: 'failing', status: 500 } })
    expect(await statusOf(user, session)).toMatchObject({ status: 'open' })
    const refused = await app.call('POST', '/payments/create-checkout-session', {
      token: user.token,
      body: { package_id: 'starter' },
    })
    expect(refused).toMatchObject({ status: 502, body: { code: 'payments_unavailable' } })
    await jobs.keepHistory('confirm-payment.provider-down', workflowOf(session))
    await control('DELETE', '/faults')
    expect(await statusOf(user, session)).toMatchObject({ status: 'complete' })
    expect(await grants(user)).toEqual([5_000_000])
  })

  it('credits although no mail can be sent, and mails the receipt when it can', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    await control('PUT', '/faults', { mail: { kind: 'down' } })
    expect(await statusOf(user, session)).toMatchObject({ status: 'complete' })
    expect(await rowOf(session)).toMatchObject({ status: 'credited', receipt_sent_at: null })
    await control('DELETE', '/faults')
    await jobs.workflow(workflowOf(session)).result()
    expect(await mailTo(user.email)).toHaveLength(1)
  })

  it('credits on another worker when the first is gone between the payment and the credit', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    await jobs.stop()
    // The credit is written, then the worker is lost before it can say so.
    let reached: () => void = () => undefined
    const atCredit = new Promise<void>((resolve) => (reached = resolve))
    await jobs.start((name, activity) => async (...args) => {
      const answer = await activity(...args)
      if (name === 'creditPayment') {
        reached()
        throw new Error('lost')
      }
      return answer
    })
    expect(await deliver(eventOf(session))).toBe(200)
    await atCredit
    await jobs.stop()
    await jobs.start()
    await jobs.workflow(workflowOf(session)).result()
    expect(await grants(user)).toEqual([5_000_000])
    await jobs.keepHistory('confirm-payment.worker-lost', workflowOf(session))
  })

  it('leads back to the checkout that was left, and to a new one once that is paid', async () => {
    const user = await app.signUp()
    const opened = await Promise.all([buy(user), buy(user), buy(user)])
    const [session] = opened
    expect(new Set(opened.map(({ session_id: id }) => id)).size).toBe(1)
    expect(await buy(user)).toEqual(session)
    await pay(session)
    const next = await buy(user)
    expect(next.session_id).not.toBe(session.session_id)
    expect(await grants(user)).toEqual([5_000_000])
    expect((await checkoutsAtStripe(user)).sort()).toEqual([session.session_id, next.session_id].sort())
  })

  it('opens no second session where the answer about the first was lost', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await database()
      .updateTable('payments')
      .set({ session_id: null })
      .where('session_id', '=', session.session_id)
      .execute()
    expect(await buy(user)).toEqual(session)
    expect(await checkoutsAtStripe(user)).toEqual([session.session_id])
  })

  it('never closes a checkout that the card provider does not know, and opens another beside it', async () => {
    const user = await app.signUp()
    const { session_id: known } = await buy(user)
    const session = { session_id: `cs_test_${randomUUID().replaceAll('-', '')}`, client_secret: '' }
    const row = database().updateTable('payments')
    await row.set({ session_id: session.session_id }).where('session_id', '=', known).execute()
    expect(await statusOf(user, session)).toMatchObject({ status: 'open' })
    await row
      .set({ created_at: new Date(Date.now() - 29 * 86_400_000) })
      .where('session_id', '=', session.session_id)
      .execute()
    expect(await statusOf(user, session)).toMatchObject({ status: 'open' })
    expect((await buy(user)).session_id).not.toBe(session.session_id)
    await row
      .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('session_id', '=', session.session_id)
      .execute()
    expect(await statusOf(user, session)).toMatchObject({ status: 'review' })
  })

  it('asks a card provider that refuses once, and one that is down as often as it may', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    for (const [status, times] of [
      [401, 1],
      [500, 2],
    ] as const) {
      await control('PUT', '/faults', { stripe: { kind: 'failing', status } })
      await control('DELETE', '/requests')
      expect(await statusOf(user, session)).toMatchObject({ status: 'open' })
      expect(await looksAt(session)).toBe(times)
    }
  })

  it('looks once more for all who asked while it looked, and once for all', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await control('PUT', '/faults', { stripe: { kind: 'slow', delayMs: 700 } })
    await control('DELETE', '/requests')
    const first = statusOf(user, session)
    await expect.poll(() => looksAt(session)).toBe(1)
    await Promise.all([
      deliver(eventOf(session)),
      deliver(eventOf(session)),
      statusOf(user, session),
      complete(user, session),
    ])
    await first
    await jobs.workflow(workflowOf(session)).result()
    expect(await looksAt(session)).toBe(2)
    await jobs.keepHistory('confirm-payment.asked-while-looking', workflowOf(session))
  })

  it('answers those who ask while the receipt is being sent', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    await control('PUT', '/faults', { mail: { kind: 'slow', delayMs: 1500 } })
    expect(await statusOf(user, session)).toMatchObject({ status: 'complete' })
    // Past the record, which says so already: as somebody does who read it just before.
    const row = await rowOf(session)
    const asked = app.app.get(PaymentConfirmation).settle({ ...row, session_id: session.session_id }, 5000)
    expect(await asked).toBe('credited')
    expect((await rowOf(session)).receipt_sent_at).toBeNull()
    expect(await deliver(eventOf(session))).toBe(200)
    expect(await complete(user, session)).toMatchObject({ body: { status: 'complete' } })
    await jobs.workflow(workflowOf(session)).result()
    expect(await grants(user)).toEqual([5_000_000])
    await jobs.keepHistory('confirm-payment.asked-during-receipt', workflowOf(session))
  })

  it.each(['lookAtCheckout', 'creditPayment', 'sendReceipt'])(
    'credits once where it is cancelled in %s, whoever asks next',
    async (step) => {
      await jobs.stop()
      let reached: () => void = () => undefined
      const atStep = new Promise<void>((resolve) => (reached = resolve))
      let isHeld = true
      await jobs.start((name, activity) => async (...args) => {
        if (name === step && isHeld) {
          reached()
          await expect.poll(() => isHeld, { timeout: 10_000 }).toBe(false)
        }
        return activity(...args)
      })
      const user = await app.signUp()
      const session = await buy(user)
      await pay(session)
      expect(await deliver(eventOf(session))).toBe(200)
      await atStep
      await jobs.workflow(workflowOf(session)).cancel()
      isHeld = false
      await jobs
        .workflow(workflowOf(session))
        .result()
        .catch(() => undefined)
      if (step === 'lookAtCheckout') await jobs.keepHistory('confirm-payment.cancel', workflowOf(session))
      expect(await complete(user, session)).toMatchObject({ body: { status: 'complete' } })
      expect(await purchases(user)).toEqual([`${session.session_id}:purchase`])
    },
  )

  it('mails the receipt in the end, though the workflow that would have is gone', async () => {
    const user = await app.signUp()
    const session = await buy(user)
    await pay(session)
    await control('PUT', '/faults', { mail: { kind: 'down' } })
    expect(await statusOf(user, session)).toMatchObject({ status: 'complete' })
    await jobs.workflow(workflowOf(session)).terminate()
    await control('DELETE', '/faults')
    await app.app.get(ReconcilePayments).reconcile(new Date(Date.now() + 15 * 60_000))
    await jobs.workflow(workflowOf(session)).result()
    expect(await mailTo(user.email)).toHaveLength(1)
  })

  it('asks of Stripe only what its own description of the API has', async (context) => {
    const said: string[] = []
    const mock = await startStripeMock((line) => said.push(line))
    if (!mock) {
      context.skip(`stripe-mock cannot be had: ${said.join(' ')}`)
      return
    }
    const wire = await describedStripe(mock.url)
    const strict = await startApp({
      TEMPORAL_NAMESPACE: namespaces.payments,
      STRIPE_SECRET_KEY: 'sk_test_mock',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_mock',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: wire.url,
    })
    const strictJobs = await prepareJobs(strict.config)
    await jobs.stop()
    await strictJobs.start()
    try {
      const user = await strict.signUp()
      const created = await strict.call('POST', '/payments/create-checkout-session', {
        token: user.token,
        body: { package_id: 'regular' },
      })
      expect(created).toMatchObject({ status: 200, body: { stripe_js_url: null } })
      const query = `session_id=${created.body.session_id}`
      await strict.call('POST', `/payments/complete-payment?${query}`, { token: user.token })
      expect(wire.answers).toEqual([
        'POST /v1/checkout/sessions 200',
        `GET /v1/checkout/sessions/${created.body.session_id}?expand[0]=payment_intent 200`,
      ])
      // A parameter that the description lacks is refused: the check is one.
      const direct = new Stripe('sk_test_mock', {
        host: '127.0.0.1',
        port: new URL(mock.url).port,
        protocol: 'http',
      })
      await expect(
        direct.checkout.sessions.create({
          mode: 'payment',
          colour: 'red',
        } as Stripe.Checkout.SessionCreateParams),
      ).rejects.toThrow(/colour|additional/i)
    } finally {
      await strictJobs.close()
      await strict.close()
      await wire.close()
      await mock.stop()
    }
  })

  async function live({ end, copies, places, hasReturnPage }: Story): Promise<void> {
    const user = await app.signUp()
    const session = await buy(user)
    const at = `/stripe/sessions/${session.session_id}`
    const kinds = [
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'checkout.session.async_payment_failed',
      'checkout.session.expired',
    ]
    const copy = <T>(make: () => T) => Array.from({ length: copies }, make)
    const voices: (() => Promise<unknown>)[] = [
      ...kinds.flatMap((type) => copy(() => () => deliver(eventOf(session, type)))),
      ...(hasReturnPage ? copy(() => () => statusOf(user, session)) : []),
      ...(hasReturnPage ? copy(() => () => complete(user, session)) : []),
    ]
    const inOrder = voices
      .map((voice, index) => ({ voice, place: places[index] ?? 0 }))
      .sort((a, b) => a.place - b.place)
      .map(({ voice }) => voice)
    const third = Math.ceil(inOrder.length / 3)
    const speak = (from: number, to: number) => Promise.all(inOrder.slice(from, to).map((voice) => voice()))

    await speak(0, third)
    if (end === 'expired') await control('POST', `${at}/expire`)
    if (end === 'paid') await pay(session)
    if (end === 'settled' || end === 'settlement_failed') await pay(session, { method: 'us_bank_account' })
    await speak(third, 2 * third)
    if (end === 'settled') await control('POST', `${at}/settle`, { outcome: 'succeeded' })
    if (end === 'settlement_failed') await control('POST', `${at}/settle`, { outcome: 'failed' })
    // The last to speak is at least one message that comes after all has happened.
    await speak(2 * third, inOrder.length)

    const expected = {
      paid: 'credited',
      settled: 'credited',
      settlement_failed: 'failed',
      expired: 'expired',
      abandoned: 'open',
    }
    await jobs.workflow(workflowOf(session)).result()
    expect(await rowOf(session), `${end}, ${copies} copies`).toMatchObject({ status: expected[end] })
    const isPaid = end === 'paid' || end === 'settled'
    expect(await purchases(user)).toEqual(isPaid ? [`${session.session_id}:purchase`] : [])
    expect(await balance(user)).toBe(isPaid ? 5 : 0)
  }

  const database = () => app.app.get<Database>(DATABASE)
  const workflowOf = ({ session_id }: { session_id: string }) => `payment-${session_id}`

  async function buy(user: SignedUp): Promise<Session & Record<string, unknown>> {
    const { status, body } = await app.call('POST', '/payments/create-checkout-session', {
      token: user.token,
      body: { package_id: 'starter' },
    })
    expect(status).toBe(200)
    return body
  }

  async function statusOf(user: SignedUp, { session_id }: Session) {
    const { body } = await app.call('GET', `/payments/session-status?session_id=${session_id}`, {
      token: user.token,
    })
    return body
  }

  const complete = (user: SignedUp, { session_id }: Session) =>
    app.call('POST', `/payments/complete-payment?session_id=${session_id}`, { token: user.token })

  async function balance(user: SignedUp): Promise<number> {
    return (await app.call('GET', '/credits/balance', { token: user.token })).body.balance as number
  }

  /** The operation ids of what was bought. */
  async function purchases(user: SignedUp): Promise<string[]> {
    const events = await app.app.get(EventStore).readStream(accountStream(user.id))
    return events.map((recorded) => readCreditEvent(recorded).operationId)
  }

  /** As if it had been looked at long ago. */
  async function looksAgainAfterAWhile({ session_id }: Session) {
    await database()
      .updateTable('payments')
      .set({ looked_at: new Date(0) })
      .where('session_id', '=', session_id)
      .execute()
  }

  async function grants(user: SignedUp): Promise<number[]> {
    const events = await app.app.get(EventStore).readStream(accountStream(user.id))
    return events.map((recorded) => {
      const event = readCreditEvent(recorded)
      if (event.type !== 'CreditsGranted') throw new Error(`A payment made a ${event.type}`)
      return event.amountMicrocredits
    })
  }

  const rowOf = ({ session_id }: Session) =>
    database()
      .selectFrom('payments')
      .selectAll()
      .where('session_id', '=', session_id)
      .executeTakeFirstOrThrow()

  const pay = ({ session_id }: Session, how: Record<string, unknown> = {}, status = 200) =>
    control('POST', `/stripe/sessions/${session_id}/pay`, how, status)

  /** Sends an event as Stripe would, and answers the status. */
  async function deliver(event: object): Promise<number> {
    const body = JSON.stringify(event)
    return (await app.call('POST', '/payments/webhook', { body, headers: signed(body) })).status
  }

  /** How often Stripe was asked for this session. */
  async function looksAt({ session_id }: Session): Promise<number> {
    const response = await fetch(`${sandbox.url}/control/requests`)
    const { requests } = (await response.json()) as { requests: { method: string; path: string }[] }
    return requests.filter(({ method, path }) => method === 'GET' && path.includes(session_id)).length
  }

  async function checkoutsAtStripe(user: SignedUp): Promise<string[]> {
    const response = await fetch(`${sandbox.url}/control/stripe/sessions`)
    const { sessions } = (await response.json()) as {
      sessions: { id: string; client_reference_id: string }[]
    }
    return sessions.filter((session) => session.client_reference_id === user.id).map(({ id }) => id)
  }

  async function mailTo(address: string): Promise<{ subject: string }[]> {
    const response = await fetch(`${sandbox.url}/mail/messages?to=${encodeURIComponent(address)}`)
    return ((await response.json()) as { messages: { subject: string }[] }).messages
  }

  async function control(method: string, path: string, body?: unknown, status?: number): Promise<void> {
    const response = await fetch(`${sandbox.url}/control${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    if (status === undefined) expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
    else expect(response.status).toBe(status)
  }
})

/**
 * stripe-mock behind what its fixtures leave out: the secret of a checkout that can be paid. Every request goes to it as
 * it came, and how it was taken is kept.
 */
async function describedStripe(mockUrl: string) {
  const answers: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const { method = '', url = '', headers } = request
      const answer = await fetch(mockUrl + url, {
        method,
        headers: {
          authorization: headers.authorization ?? '',
          'content-type': headers['content-type'] ?? '',
          'stripe-version': String(headers['stripe-version']),
        },
        ...(body !== '' && { body }),
      })
      answers.push(`${method} ${decodeURIComponent(url)} ${answer.status}`)
      const session = (await answer.json()) as object
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...session, client_secret: 'cs_test_secret', status: 'open' }))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const now = () => Math.floor(Date.now() / 1000)

function signed(payload: string, { secret = webhookSecret, timestamp = now() } = {}): Record<string, string> {
  return { 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) }
}

function eventOf({ session_id }: { session_id: string }, type = 'checkout.session.completed') {
  return {
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    object: 'event',
    type,
    api_version: '2026-10-28.endive',
    created: now(),
    livemode: false,
    data: { object: { id: session_id, object: 'checkout.session' } },
  }
}
