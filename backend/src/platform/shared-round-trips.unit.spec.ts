import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SharedRoundTrips } from './shared-round-trips.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const limits = { underWay: 1, questions: 10, timeoutMs: 1000 }

/** Trips that come back when the test says so. */
function heldTrips() {
  const trips: string[][] = []
  const comeBack: (() => void)[] = []
  const shared = new SharedRoundTrips(async (questions: string[]) => {
    trips.push(questions)
    await new Promise<void>((resolve) => comeBack.push(resolve))
    return questions.map((question) => `answer to ${question}`)
  }, limits)
  return { trips, comeBack, shared }
}

it('carries what is asked meanwhile together, and never in a trip that has begun', async () => {
  const { trips, comeBack, shared } = heldTrips()
  const first = shared.ask('1')
  await vi.waitUntil(() => comeBack.length === 1)
  const others = [shared.ask('2'), shared.ask('3')]
  comeBack[0]?.()
  expect(await first).toBe('answer to 1')
  await vi.waitUntil(() => comeBack.length === 2)
  comeBack[1]?.()
  expect(await Promise.all(others)).toEqual(['answer to 2', 'answer to 3'])
  expect(trips).toEqual([['1'], ['2', '3']])
})

// Seen red with a trip that leaves in the turn after the one before: it took the one who waited alone.
it('takes those along who were answered by the last trip and ask again in the next turn', async () => {
  const { trips, comeBack, shared } = heldTrips()
  const again = Promise.all(
    ['1', '3'].map(async (question) => {
      await shared.ask(question)
      await new Promise((resolve) => setImmediate(resolve))
      await shared.ask(`${question} again`)
    }),
  )
  await vi.waitUntil(() => comeBack.length === 1)
  const waiting = shared.ask('2')
  comeBack[0]?.()
  await vi.waitUntil(() => comeBack.length === 2)
  comeBack[1]?.()
  await Promise.all([again, waiting])
  expect(trips).toEqual([
    ['1', '3'],
    ['2', '1 again', '3 again'],
  ])
})

it('fails one question alone where its answer is a failure', async () => {
  const shared = new SharedRoundTrips(
    (questions: string[]) =>
      Promise.resolve(
        questions.map((question) => (question === 'bad' ? Promise.reject(new Error('bad')) : question)),
      ),
    limits,
  )
  const [good, bad] = await Promise.allSettled([shared.ask('good'), shared.ask('bad')])
  expect(good).toEqual({ status: 'fulfilled', value: 'good' })
  expect(bad.status).toBe('rejected')
})

// Seen red without the time limit: the second question was never sent.
it('gives a trip up that never ends, and goes on with the next', async () => {
  let sent = 0
  const shared = new SharedRoundTrips((questions: number[]) => {
    sent += 1
    return sent === 1 ? new Promise<number[]>(() => undefined) : Promise.resolve(questions)
  }, limits)
  const first = shared.ask(1)
  await vi.waitUntil(() => sent === 1)
  const second = shared.ask(2)
  const lost = expect(first).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await vi.advanceTimersByTimeAsync(limits.timeoutMs)
  await lost
  expect(await second).toBe(2)
})

// Seen red without it: the answer that failed, which nobody held any more, was an unhandled rejection.
it('ends nothing where answers fail after their trip was given up', async () => {
  const answers: ((answers: Promise<number>[]) => void)[] = []
  const shared = new SharedRoundTrips(
    () => new Promise<Promise<number>[]>((resolve) => answers.push(resolve)),
    limits,
  )
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  const lost = expect(shared.ask(1)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await vi.waitUntil(() => answers.length === 1)
  await vi.advanceTimersByTimeAsync(limits.timeoutMs)
  await lost
  answers[0]?.([Promise.reject(new Error('late'))])
  // Node tells of it before the second of these turns of the event loop.
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
