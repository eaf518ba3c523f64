/** Payments and summaries while the product's parts die: one credit for each payment, nothing charged for nothing. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, openAccount } from './account.ts'
import { payCheckout } from './card-company.ts'
import { eventsOf, expectLedgerHolds } from './ledger.ts'
import { randomNumbers } from './random-numbers.ts'
import { eventually, type Part, startStack, type Stack } from './stack.ts'

const seed = Number(process.env.FAULT_SEED ?? randomInt(1_000_000))
const random = randomNumbers(seed)

/** A killed process is noticed by its missing heartbeat (15 s) or by a step's own limit. */
const recoverySeconds = 100

let stack: Stack

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

describe('a part that is killed between a payment and its credits', () => {
  it.each<Part>(['backend', 'worker', 'temporal', 'postgres'])(
    '%s: the payment is credited once',
    { timeout: 180_000 },
    async (part) => {
      const accounts = await Promise.all([1, 2, 3].map(() => openAccount(stack, 0)))
      const sessions = await Promise.all(accounts.map((account) => account.openCheckout('starter')))
      // What the card company answers takes its time, so that the kill meets the middle.
      await stack.setFaults({ stripe: { kind: 'slow', delayMs: 400 } })
      const momentMs = Math.floor(random() * 900)
      const killed = sleep(momentMs).then(() => {
        console.log(`  kill -9 of ${part} ${momentMs} ms after the payments`)
        stack.signal(part, 'SIGKILL')
      })
      const asked = sessions.map(async ({ session_id: id }, index) => {
        await payCheckout(stack, id)
        // The return page asks while it all goes down; the webhook comes beside it.
        await accounts[index]?.completePayment(id).catch(() => undefined)
      })
      await Promise.all([killed, ...asked])

      for (const account of accounts) {
        await eventually(`the payment of ${account.email} is credited`, recoverySeconds, async () =>
          (await account.balance()) > 0 ? true : undefined,
        )
        await sleep(500)
        expect(await kindsOf(account)).toEqual(['CreditsGranted'])
        await expectLedgerHolds(stack, account)
      }
    },
  )

  it('the webhook alone brings the credits, when nobody comes back from the card page', async () => {
    const account = await openAccount(stack, 0)
    const { session_id: id } = await account.openCheckout('regular')
    await payCheckout(stack, id)
    await eventually('the webhook is heard', 30, async () =>
      (await account.balance()) === 20 ? true : undefined,
    )
    expect(await kindsOf(account)).toEqual(['CreditsGranted'])
  })
})

describe('a part that is killed between a deduction and its summary', () => {
  it.each<Part>(['backend', 'worker', 'temporal', 'postgres'])(
    '%s: what was charged was delivered',
    { timeout: 180_000 },
    async (part) => {
      const account = await openAccount(stack, 1)
      const transcriptId = await account.transcribed('One Small Word', 0)
      await stack.setFaults({ language: { kind: 'slow', delayMs: 1200 } })
      const momentMs = Math.floor(random() * 2500)
      const killed = sleep(momentMs).then(() => {
        console.log(`  kill -9 of ${part} after ${momentMs} ms`)
        stack.signal(part, 'SIGKILL')
      })
      const asked = (['smart_summary', 'action_plan', 'thought_provoking'] as const).map((type) =>
        eventually(`a ${type} is begun`, recoverySeconds, async () => {
          const { status } = await account.summarise(transcriptId, type)
          if (status === 200) return true
          if (status >= 500) return undefined
          throw new Error(`A summary is refused with ${status}`)
        }),
      )
      await Promise.all([killed, ...asked])
      await stack.setFaults({})
      const ended = await account.untilSummariesEnded(transcriptId, recoverySeconds)
      expect(ended).toHaveLength(3)
      await expectLedgerHolds(stack, account)
    },
  )

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
})

const kindsOf = async (account: Account) => (await eventsOf(stack, account.id)).map(({ type }) => type)
