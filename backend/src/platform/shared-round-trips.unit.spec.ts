import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SharedRoundTrips } from './shared-round-trips.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const limits = { underWay: 1, questions: 10, timeoutMs: 1000 }

/** Trips that come back when the test says so. */
function heldTrips() {
  const trips: string[][] = []
  const begun: (() => void)[] = []
  const shared = new SharedRoundTrips(async (questions: string[]) => {
    trips.push(questions)
    await new Promise<void>((resolve) => begun.push(resolve))
    return questions.map((question) => `answer to ${question}`)
  }, limits)
  return { trips, begun, shared }
}

it('carries what is asked meanwhile together, and never in a trip that has begun', async () => {
  const { trips, begun, shared } = heldTrips()
  const first = shared.ask('1')
  await vi.waitUntil(() => begun.length === 1)
  const others = [shared.ask('2'), shared.ask('3')]
  begun[0]?.()
  expect(await first).toBe('answer to 1')
  await vi.waitUntil(() => begun.length === 2)
  begun[1]?.()
  expect(await Promise.all(others)).toEqual(['answer to 2', 'answer to 3'])
  expect(trips).toEqual([['1'], ['2', '3']])
})

// Seen red with a trip that leaves in the turn after the one before: it took the one who waited alone.
it('takes those along who were answered by the last trip and ask again in the next turn', async () => {
  const { trips, begun, shared } = heldTrips()
  const again = Promise.all(
    ['1', '3'].map(async (question) => {
      await shared.ask(question)
      await new Promise((resolve) => setImmediate(resolve))
      await shared.ask(`${question} again`)
    }),
  )
  await vi.waitUntil(() => begun.length === 1)
  const waiting = shared.ask('2')
  begun[0]?.()
  await vi.waitUntil(() => begun.length === 2)
  begun[1]?.()
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
