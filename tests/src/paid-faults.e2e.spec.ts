/** Payments and summaries while the product's parts die: one credit for each payment, nothing charged for nothing. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, openAccount, type SummaryType } from './account.ts'
import { payCheckout } from './card-company.ts'
import { eventsOf, expectLedgerHolds } from './ledger.ts'
import { randomNumbers } from './random-numbers.ts'
import { eventually, type Part, startStack, type Stack } from './stack.ts'

const seed = Number(process.env.FAULT_SEED ?? randomInt(1_000_000))
const random = randomNumbers(seed)

/** A killed process is noticed by its missing heartbeat (15 s) or by a step's own limit. */
const recoverySeconds = 100

/** Long enough for everything to be asked, so that a kill after that meets the middle. */
const held = { kind: 'slow', delayMs: 4000 } as const
const longestMomentMs = 800

const summaryTypes = ['smart_summary', 'action_plan', 'thought_provoking'] as const

let stack: Stack
/** Every purchase of this file, to look at again when it ends. */
const bought: { account: Account; sessionId: string }[] = []

beforeAll(async () => {
  console.log(`Faults come at moments drawn from seed ${seed}: FAULT_SEED=${seed} draws them again.`)
  stack = await startStack((sandboxOrigin) => ({
    TRANSCRIPTION_BASE_URL: `${sandboxOrigin}/openai/v1`,
    TRANSCRIPTION_API_KEY: 'any',
    VENDOR_ATTEMPTS: '3',
    VENDOR_RETRY_SECONDS: '0.2',
  }))
})

afterEach(async () => {
  await stack.setFaults({})
  await stack.untilReady()
})

afterAll(() => stack.stop())

describe('a part that is killed between payments and their credits, and between deductions and their summaries', () => {
  it.each<Part>(['backend', 'worker', 'temporal', 'postgres', 'sandbox'])(
    '%s: each payment is credited once, and what was charged was delivered',
    { timeout: 180_000 },
    async (part) => {
      const [reader, ...buyers] = await Promise.all([1, 0, 0].map((credits) => openAccount(stack, credits)))
      if (!reader) throw new Error('Nobody reads')
      const transcriptId = await reader.transcribed('One Small Word', 0)
      const purchases = await Promise.all(
        buyers.map(async (buyer) => ({ buyer, sessionId: (await buyer.openCheckout('starter')).session_id })),
      )

      await stack.setFaults({ stripe: held, language: held })
      await Promise.all(purchases.map(({ sessionId }) => payCheckout(stack, sessionId)))
      // The return page asks while it all goes down; the webhook comes beside it.
      const asked = Promise.allSettled([
        ...purchases.map(({ buyer, sessionId }) => buyer.completePayment(sessionId).catch(() => undefined)),
        ...summaryTypes.map((type) => summarised(reader, transcriptId, type)),
      ])
      const isInTheMiddle = async () => {
        const unanswered = await stack.unanswered()
        const isAsked = (start: string) => unanswered.some((request) => request.startsWith(start))
        return (
          purchases.every(({ sessionId }) => isAsked(`GET /v1/checkout/sessions/${sessionId}`)) &&
          isAsked('POST /openai/v1/chat/completions')
        )
      }
      await eventually('the product asks for each payment and for a summary', 20, async () =>
        (await isInTheMiddle()) ? true : undefined,
      )
      const momentMs = Math.floor(random() * longestMomentMs)
      await sleep(momentMs)
      expect(await isInTheMiddle(), 'the vendors have not answered').toBe(true)
      console.log(`  kill -9 of ${part} ${momentMs} ms after all was asked`)
      stack.signal(part, 'SIGKILL')
      await eventually('the sandbox is in order', 30, () => stack.setFaults({}).then(() => true))
      expect((await asked).filter(({ status }) => status === 'rejected')).toEqual([])

      for (const { buyer, sessionId } of purchases) await expectCreditedOnce(buyer, sessionId)
      const ended = await reader.untilSummariesEnded(transcriptId, recoverySeconds)
      expect(ended).toHaveLength(summaryTypes.length)
      // The sandbox is the model too, and one that is away for longer than all tries is given up.
      if (part !== 'sandbox') expect(ended.filter(({ status }) => status !== 'completed')).toEqual([])
      await expectLedgerHolds(stack, reader)
    },
  )
})

it('the webhook alone brings the credits, when nobody comes back from the card page', async () => {
  const account = await openAccount(stack, 0)
  const { session_id: id } = await account.openCheckout('regular')
  await payCheckout(stack, id)
  await expectCreditedOnce(account, id)
  expect(await account.balance()).toBe(20)
})

it('a model that is down for ever: the credits are back within the bound', async () => {
  const account = await openAccount(stack, 1)
  const transcriptId = await account.transcribed('One Small Word', 0)
  const before = await account.balance()
  await stack.setFaults({ language: { kind: 'down' } })
  expect(await account.summarise(transcriptId, 'smart_summary')).toMatchObject({ status: 200 })
  const [summary] = await account.untilSummariesEnded(transcriptId, 20)
  expect(summary).toMatchObject({ status: 'failed' })
  expect(summary?.error_message).toMatch(/language model.*Your credits are back\.$/)
  expect(await account.balance()).toBe(before)
  await expectLedgerHolds(stack, account)
})

it('nothing was credited later either', async () => {
  expect(bought.length).toBeGreaterThan(0)
  for (const { account, sessionId } of bought) await expectOneGrant(account, sessionId)
})

/** Begins a summary, however often it takes. */
const summarised = (account: Account, transcriptId: string, type: SummaryType) =>
  eventually(`a ${type} is begun`, recoverySeconds, async () => {
    const { status } = await account.summarise(transcriptId, type)
    if (status === 200) return true
    if (status >= 500) return undefined
    throw new Error(`A summary is refused with ${status}`)
  })

/** An account's only purchase brings its credits once, though the product hears of it again and again. */
async function expectCreditedOnce(account: Account, sessionId: string): Promise<void> {
  bought.push({ account, sessionId })
  await eventually(`${sessionId} is credited`, recoverySeconds, async () =>
    (await account.balance()) > 0 ? true : undefined,
  )
  const event = await untilDelivered(sessionId)
  await stack.control('POST', `stripe/events/${event.id}/resend`)
  await untilDelivered(sessionId)
  expect(await account.completePayment(sessionId)).toMatchObject({
    status: 200,
    body: { status: 'complete' },
  })
  await expectOneGrant(account, sessionId)
}

async function expectOneGrant(account: Account, sessionId: string): Promise<void> {
  const operations = (await eventsOf(stack, account.id)).map(({ operation_id: id }) => id)
  expect(operations).toEqual([`${sessionId}:purchase`])
  await expectLedgerHolds(stack, account)
}

/** Waits until the product has taken the news that a checkout is paid. */
const untilDelivered = (sessionId: string) =>
  eventually(`the product hears that ${sessionId} is paid`, recoverySeconds, async () => {
    const { events } = await stack.control<{ events: PaymentEvent[] }>('GET', 'stripe/events')
    const completed = events.find(
      ({ type, data }) => type === 'checkout.session.completed' && data.object.id === sessionId,
    )
    return completed?.pending_webhooks === 0 ? completed : undefined
  })

type PaymentEvent = { id: string; type: string; pending_webhooks: number; data: { object: { id: string } } }
