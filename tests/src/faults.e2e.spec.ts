/** The product while its parts die: every job ends, and no credit is lost or kept for nothing. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, type Episode, hasEnded, openAccount } from './account.ts'
import { eventsOf, expectLedgerHolds } from './ledger.ts'
import { randomNumbers } from './random-numbers.ts'
import { eventually, type Part, startStack, type Stack } from './stack.ts'

const seed = Number(process.env.FAULT_SEED ?? randomInt(1_000_000))
const random = randomNumbers(seed)
const seconds = 1000

/** Three tries, 0.2 s and then 0.4 s between them: whoever is down for ever is given up in this time. */
const vendorBoundSeconds = 20
/** A killed process is noticed by its missing heartbeat (15 s) or by a step's own limit. */
const recoverySeconds = 100

let stack: Stack
let episodes: Episode[]

beforeAll(async () => {
  console.log(`Faults come at moments drawn from seed ${seed}: FAULT_SEED=${seed} draws them again.`)
  stack = await startStack((sandboxOrigin) => ({
    // Exact and instant, so that a fault meets a job where the test wants it.
    TRANSCRIPTION_BASE_URL: `${sandboxOrigin}/openai/v1`,
    TRANSCRIPTION_API_KEY: 'any',
    TRANSCRIPTION_CONCURRENCY: '6',
    TRANSCRIPTION_CHUNK_SECONDS: '60',
    VENDOR_ATTEMPTS: '3',
    VENDOR_RETRY_SECONDS: '0.2',
  }))
  const reader = await openAccount(stack, 0)
  episodes = await reader.episodesOf('One Small Word')
})

afterEach(async () => {
  await stack.setFaults({})
  await stack.untilReady()
})

afterAll(() => stack.stop())

describe('a part that is killed', () => {
  it('the worker, in the middle of a transcription: it finishes and is charged once', async () => {
    const account = await openAccount(stack, 1)
    await stack.setFaults({ transcription: { kind: 'slow', delayMs: 5000 } })
    const id = await started(account, episode(0))
    await account.untilTranscribing(id)
    stack.signal('worker', 'SIGKILL')
    await stack.setFaults({})

    const transcript = await account.untilEnded(id, recoverySeconds)
    expect(transcript).toMatchObject({ status: 'completed', charged_credits: 0.01 })
    expect(await kindsOf(account)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    await expectLedgerHolds(stack, account)
  })

  it.each<Part>(['backend', 'postgres', 'temporal', 'worker'])(
    '%s, at a random moment: every job ends, paid for what it delivered',
    { timeout: 180 * seconds },
    async (part) => {
      const accounts = await Promise.all([1, 2, 3].map(() => openAccount(stack, 0.05)))
      await stack.setFaults({ transcription: { kind: 'slow', delayMs: 700 } })
      const momentMs = Math.floor(random() * 2500)
      const killed = sleep(momentMs).then(() => {
        console.log(`  kill -9 of ${part} after ${momentMs} ms`)
        stack.signal(part, 'SIGKILL')
      })
      const jobs = accounts.map(async (account) => {
        // One after the other, so that the moment may meet any step of any of them.
        for (const index of [0, 1, 2, 3]) {
          await sleep(random() * 300)
          await startedInTheEnd(account, episode(index))
        }
      })
      await Promise.all([killed, ...jobs])

      for (const account of accounts) {
        await untilAllEnded(account)
        const outcomes = (await account.transcripts()).map(({ status }) => status)
        expect(outcomes.length).toBeGreaterThanOrEqual(4)
        expect(outcomes).toContain('completed')
        await expectLedgerHolds(stack, account)
      }
    },
  )
})

describe('a worker that is asked to stop', () => {
  it('leaves within 35 s and loses no job', async () => {
    const account = await openAccount(stack, 1)
    await stack.setFaults({ transcription: { kind: 'slow', delayMs: 3000 } })
    const id = await started(account, episode(0))
    await account.untilTranscribing(id)
    const pid = stack.pidOf('worker')
    process.kill(pid, 'SIGTERM')

    await eventually('the worker leaves', 35, () => Promise.resolve(isAlive(pid) ? undefined : true))
    expect(await account.untilEnded(id, 60)).toMatchObject({ status: 'completed', charged_credits: 0.01 })
    expect(await kindsOf(account)).toEqual(['CreditsGranted', 'CreditsDeducted'])
  })
})

describe('vendors that fail for ever', () => {
  it.each([
    ['transcription', /transcription service/i],
    ['audio', /audio|server/i],
  ] as const)('%s: the credits are back within the bound', async (vendor, words) => {
    const account = await openAccount(stack, 1)
    await stack.setFaults({ [vendor]: { kind: 'down' } })
    const transcript = await account.untilEnded(await started(account, episode(0)), vendorBoundSeconds)
    expect(transcript).toMatchObject({ status: 'failed', charged_credits: 0 })
    expect(transcript.error_message).toMatch(words)
    expect(transcript.error_message).toMatch(/Your credits are back\.$/)
    expect(await account.balance()).toBe(1)
    await expectLedgerHolds(stack, account)
  })
})

describe('many requests at once', () => {
  it('two of ten episodes run, and eight are told to wait', async () => {
    const account = await openAccount(stack, 1)
    await stack.setFaults({ transcription: { kind: 'slow', delayMs: 3000 } })
    const answers = await Promise.all(episodes.slice(0, 10).map((one) => account.start(one)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array<number>(8).fill(429)])
    expect((await account.transcripts()).filter((one) => !hasEnded(one))).toHaveLength(2)
    await stack.setFaults({})
    await untilAllEnded(account)
    await expectLedgerHolds(stack, account)
  })

  it('one episode asked for 20 times is one transcript and one deduction', async () => {
    const account = await openAccount(stack, 1)
    const answers = await Promise.all(Array.from({ length: 20 }, () => account.start(episode(0))))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
    const ids = new Set(answers.map(({ body }) => body.id as string))
    expect(ids.size).toBe(1)
    await untilAllEnded(account)
    expect(await kindsOf(account)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    await expectLedgerHolds(stack, account)
  })
})

describe('Temporal that does not answer', () => {
  it('refuses a start with 503 and charges nothing for it, later neither', async () => {
    const account = await openAccount(stack, 1)
    stack.signal('temporal', 'SIGSTOP')
    try {
      const refused = await account.start(episode(0))
      expect(refused).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } })
    } finally {
      stack.signal('temporal', 'SIGCONT')
    }
    await stack.untilReady()

    // What waited at its door is through once a later job has ended.
    expect(await account.untilEnded(await startedInTheEnd(account, episode(1)), 60)).toMatchObject({
      status: 'completed',
    })
    expect((await account.transcripts()).map(({ episode_id: id }) => id)).toEqual([episode(1).id])
    expect(await kindsOf(account)).toEqual(['CreditsGranted', 'CreditsDeducted'])
    await expectLedgerHolds(stack, account)
  })
})

describe('episodes whose feed does not tell the truth', () => {
  it.each([
    ['A half hour with the tide tables', 0.3, ['CreditsGranted', 'CreditsDeducted', 'CreditsRefunded']],
    ['One minute about knots', 0.01, ['CreditsGranted', 'CreditsDeducted', 'CreditsDeducted']],
    ['Nobody timed this one', 0, ['CreditsGranted', 'CreditsDeducted']],
  ])('"%s" is charged for its real length', async (title, claimedPrice, kinds) => {
    const account = await openAccount(stack, 1)
    const rough = (await account.episodesOf('Rough Tapes')).find((one) => one.title === title)
    if (!rough) throw new Error(`There is no episode ${title}`)
    expect(Math.ceil((rough.duration_seconds ?? 0) / 60) / 100).toBe(claimedPrice)

    const transcript = await account.untilEnded(await started(account, rough), 60)
    expect(transcript.status).toBe('completed')
    expect(await kindsOf(account)).toEqual(kinds)
    await expectLedgerHolds(stack, account)
  })
})

const episode = (index: number): Episode => {
  const found = episodes[index]
  if (!found) throw new Error(`There is no episode ${index}`)
  return found
}

const kindsOf = async (account: Account) => (await eventsOf(stack, account.id)).map(({ type }) => type)

async function started(account: Account, wanted: Episode): Promise<string> {
  const { status, body } = await account.start(wanted)
  if (status !== 200) throw new Error(`Not started: ${status} ${JSON.stringify(body)}`)
  return body.id as string
}

/** Asks again while the product cannot answer or two run already, as a patient person would. */
const startedInTheEnd = (account: Account, wanted: Episode) =>
  eventually(`${wanted.title} starts`, recoverySeconds, async () => {
    const { status, body } = await account.start(wanted)
    if (status === 200) return body.id as string
    if (status === 429 || status >= 500) return undefined
    throw new Error(`${status} ${JSON.stringify(body)}`)
  })

const untilAllEnded = (account: Account) =>
  eventually(`all jobs of ${account.email} end`, recoverySeconds, async () => {
    const transcripts = await account.transcripts()
    return transcripts.every(hasEnded) || undefined
  })

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
