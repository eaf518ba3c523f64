import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRecognizerPool, type RecognizerPool } from './recognizer-pool.ts'

let pool: RecognizerPool

beforeEach(async () => {
  pool = createRecognizerPool({
    modelPath: 'none',
    slots: 1,
    threads: 1,
    queueLength: 1,
    childPath: new URL('../test/recognizer.stand-in.ts', import.meta.url).pathname,
  })
  await pool.ready()
})

afterEach(() => {
  pool.close()
})

const recognize = async (fileName: string, signal = new AbortController().signal) => {
  const place = pool.enter()
  try {
    return (await place.recognize({ audio: new Uint8Array(), fileName, temperature: 0 }, signal)).text
  } finally {
    place.release()
  }
}

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('refuses with 503 and Retry-After when every place is taken, and takes the next once one is free', async () => {
  const hung = new AbortController()
  const first = recognize('hang', hung.signal)
  const second = recognize('fine')
  await expect(recognize('fine')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 10 })
  hung.abort()
  await expect(first).rejects.toMatchObject({ code: 'cancelled' })
  await second
  await expect(recognize('fine')).resolves.toMatch(/\d+/)
})

it('ends the process of a cancelled job and serves the next from a fresh one', async () => {
  const before = Number(await recognize('fine'))
  const cancel = new AbortController()
  const hung = recognize('hang', cancel.signal)
  // By then the job is with the process.
  await setImmediate()
  cancel.abort()
  await expect(hung).rejects.toMatchObject({ code: 'cancelled' })
  const after = Number(await recognize('fine'))
  expect(after).not.toBe(before)
  while (alive(before)) await sleep(10)
})

it('lets a job that is cancelled while it waits leave the queue', async () => {
  const hung = new AbortController()
  const cancel = new AbortController()
  const first = recognize('hang', hung.signal)
  const second = recognize('fine', cancel.signal)
  cancel.abort()
  await expect(second).rejects.toMatchObject({ code: 'cancelled' })
  expect(pool.status().waiting).toBe(0)
  hung.abort()
  await expect(first).rejects.toThrow()
})

it('answers 500 when the process crashes, and serves the next from a fresh one', async () => {
  await expect(recognize('crash')).rejects.toMatchObject({ status: 500, code: 'recognizer_crashed' })
  await expect(recognize('fine')).resolves.toMatch(/\d+/)
})

it('tells at once that a model cannot be loaded', async () => {
  const broken = createRecognizerPool({ modelPath: '/nowhere.bin', slots: 1, threads: 1, queueLength: 0 })
  await expect(broken.ready()).rejects.toThrow()
  expect(broken.status().isReady).toBe(false)
  broken.close()
})
