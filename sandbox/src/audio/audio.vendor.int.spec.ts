import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'
import { mpegFrames } from '../transcription/mpeg-frames.ts'

let sandbox: Sandbox
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-media-'))
  await writeFile(join(folder, 'my first talk.m4a'), 'not really')
  await writeFile(join(folder, 'empty.wav'), '')
  await writeFile(join(folder, 'notes.txt'), 'no audio')
  sandbox = await startSandbox({ port: 0, mediaFolder: folder })
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

const clip = join(import.meta.dirname, '../../media/slow-cities/the-bench-test.mp3')

function audio(path: string, range?: string): Promise<Response> {
  return fetch(`${sandbox.url}/audio/${path}`, { headers: range === undefined ? {} : { range } })
}

test.each([
  ['bytes=0-9', 0, 10],
  ['bytes=1000-', 1000, undefined],
  ['bytes=-7', -7, undefined],
])('serves the range %s', async (range, start, end) => {
  const whole = await readFile(clip)
  const answer = await audio('slow-cities/the-bench-test.mp3', range)
  const wanted = whole.subarray(start, end)
  expect(answer.status).toBe(206)
  const from = start < 0 ? whole.length + start : start
  expect(answer.headers.get('content-range')).toBe(
    `bytes ${from}-${from + wanted.length - 1}/${whole.length}`,
  )
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(Buffer.from(await answer.arrayBuffer()).equals(wanted)).toBe(true)
})

test('refuses a range behind the end', async () => {
  const answer = await audio('slow-cities/the-bench-test.mp3', 'bytes=99999999-')
  expect(answer.status).toBe(416)
  expect(answer.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/)
})

test('has one dead link, one web page, one damaged file and one that breaks off', async () => {
  expect((await audio('rough-tapes/the-tape-that-went-missing.mp3')).status).toBe(404)
  const page = await audio('rough-tapes/a-page-in-the-tape-box.mp3')
  expect(page.headers.get('content-type')).toBe('audio/mpeg')
  expect(await page.text()).toContain('<!doctype html>')
  const damaged = await audio('rough-tapes/left-too-near-the-magnet.mp3')
  const bytes = Buffer.from(await damaged.arrayBuffer())
  expect(bytes.length).toBeGreaterThan(10_000)
  expect(mpegFrames(bytes)).toEqual([])
  const breaking = await audio('rough-tapes/the-line-went-dead.mp3')
  expect(breaking.status).toBe(200)
  await expect(breaking.arrayBuffer()).rejects.toThrow()
})

test('redirects as a listener counter does', async () => {
  const answer = await fetch(`${sandbox.url}/audio/counted/port-authority/the-cheapest-mile.mp3`)
  expect(answer.redirected).toBe(true)
  expect(answer.url).toBe(`${sandbox.url}/audio/port-authority/the-cheapest-mile.mp3`)
  expect(mpegFrames(Buffer.from(await answer.arrayBuffer())).length).toBeGreaterThan(100)
})

test('serves a folder of audio as one more show', async () => {
  const rss = await (await fetch(`${sandbox.url}/feeds/your-own-audio`)).text()
  expect(rss).toContain('<title>my first talk</title>')
  expect(rss).not.toContain('notes')
  const own = await audio('your-own-audio/my%20first%20talk.m4a')
  expect(own.headers.get('content-type')).toBe('audio/mp4')
  expect(await own.text()).toBe('not really')
  expect(await (await audio('your-own-audio/empty.wav')).text()).toBe('')
})

test.each(['none/none.mp3', '..%2f..%2fpackage.json', 'your-own-audio/notes.txt'])(
  'has no %s',
  async (path) => {
    expect((await audio(path)).status).toBe(404)
  },
)

test('refuses an address that cannot be read', async () => {
  expect((await audio('%zz')).status).toBe(400)
})
