import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'
import type { LoggedRequest } from './request-log.ts'

let sandbox: Sandbox
beforeAll(async () => (sandbox = await startSandbox({ port: 0 })))
beforeEach(async () => {
  await fetch(`${sandbox.url}/control/faults`, { method: 'DELETE' })
  await fetch(`${sandbox.url}/control/requests`, { method: 'DELETE' })
})
afterAll(() => sandbox.close())

function put(path: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${sandbox.url}/control/${path}`, { method: 'PUT', body: text })
}

function feed(signal?: AbortSignal): Promise<Response> {
  return fetch(`${sandbox.url}/feeds/night-lab`, signal ? { signal } : {})
}

async function requests(): Promise<LoggedRequest[]> {
  const answer = await fetch(`${sandbox.url}/control/requests`)
  return ((await answer.json()) as { requests: LoggedRequest[] }).requests
}

test('fails the next two requests of one vendor, and then no more', async () => {
  await put('faults/feeds', { kind: 'failing', status: 503, body: 'gone fishing', count: 2 })
  const first = await feed()
  expect(first.status).toBe(503)
  expect(await first.text()).toBe('gone fishing')
  expect((await fetch(`${sandbox.url}/itunes/search?term=x`)).status).toBe(200)
  expect((await feed()).status).toBe(503)
  expect((await feed()).status).toBe(200)
})

test('fails in the vendor’s own shape', async () => {
  await put('faults', {
    transcription: { kind: 'failing', status: 500 },
    podcastindex: { kind: 'failing', status: 502 },
  })
  const transcription = await fetch(`${sandbox.url}/openai/v1/audio/transcriptions`, {
    method: 'POST',
    body: 'x',
  })
  expect(transcription.status).toBe(500)
  expect(await transcription.json()).toMatchObject({ error: { type: 'server_error' } })
  const search = await fetch(`${sandbox.url}/podcastindex/api/1.0/search/byterm?q=x`)
  expect(search.status).toBe(502)
  expect(await search.json()).toMatchObject({ status: 'false' })
})

test('limits the rate and says when to come again', async () => {
  await put('faults/transcription', { kind: 'rateLimited', retryAfterSeconds: 7 })
  const answer = await fetch(`${sandbox.url}/openai/v1/audio/transcriptions`, { method: 'POST', body: 'x' })
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('7')
  expect(await answer.json()).toMatchObject({ error: { type: 'rate_limit_error' } })
})

test('is down for one request', async () => {
  await put('faults/feeds', { kind: 'down', count: 1 })
  await expect(feed()).rejects.toThrow()
  expect((await feed()).status).toBe(200)
})

test('is slow by the time that was set', async () => {
  await put('faults/feeds', { kind: 'slow', delayMs: 300 })
  const askedAt = performance.now()
  expect((await feed()).status).toBe(200)
  expect(performance.now() - askedAt).toBeGreaterThanOrEqual(290)
})

test('drips a body at the pace that was set', async () => {
  await put('faults/audio', { kind: 'dripping', bytesPerSecond: 100_000 })
  const askedAt = performance.now()
  const answer = await fetch(`${sandbox.url}/audio/one-small-word/echo.mp3`, {
    headers: { range: 'bytes=0-29999' },
  })
  expect((await answer.arrayBuffer()).byteLength).toBe(30_000)
  expect(performance.now() - askedAt).toBeGreaterThanOrEqual(250)
})

test('never answers while it hangs, and sees the client go', async () => {
  await put('faults/feeds', { kind: 'hanging' })
  const client = new AbortController()
  const asked = feed(client.signal)
  const first = await Promise.race([asked.then(() => 'answered'), sleep(200, 'waiting')])
  expect(first).toBe('waiting')
  client.abort()
  await expect(asked).rejects.toThrow()
  await vi.waitFor(async () =>
    expect(await requests()).toMatchObject([{ vendor: 'feeds', status: null, aborted: true }]),
  )
})

test('notes what each vendor was asked', async () => {
  await feed()
  await fetch(`${sandbox.url}/itunes/search?term=quiet`)
  await fetch(`${sandbox.url}/`)
  expect(await requests()).toMatchObject([
    { vendor: 'feeds', method: 'GET', path: '/feeds/night-lab', status: 200, aborted: false },
    { vendor: 'itunes', path: '/itunes/search?term=quiet', aborted: false },
  ])
})

test('keeps the latest two thousand requests', async () => {
  for (let sent = 0; sent < 2020; sent += 20) await Promise.all(Array.from({ length: 20 }, () => feed()))
  expect(await requests()).toHaveLength(2000)
})

test('puts the faults that are sent in force, and no others', async () => {
  await put('faults/feeds', { kind: 'down' })
  await put('faults', { audio: { kind: 'hanging' } })
  const inForce = async () => (await fetch(`${sandbox.url}/control/faults`)).json()
  expect(await inForce()).toEqual({ faults: { audio: { kind: 'hanging' } } })
  await fetch(`${sandbox.url}/control/faults/audio`, { method: 'DELETE' })
  expect(await inForce()).toEqual({ faults: {} })
})

test.each([
  ['faults', 'no json', 400],
  ['faults', { stranger: { kind: 'down' } }, 422],
  ['faults/feeds', { kind: 'slow' }, 422],
  ['faults/feeds', { kind: 'slow', delayMs: -1 }, 422],
  ['faults/feeds', { kind: 'failing', status: 200 }, 422],
  ['faults/feeds', { kind: 'down', extra: 1 }, 422],
  ['faults/stranger', { kind: 'down' }, 404],
  ['requests', {}, 405],
  ['none', {}, 404],
])('refuses a PUT of %s %j with %i', async (path, body, status) => {
  const answer = await put(path, body)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toHaveProperty('detail')
  expect(await (await fetch(`${sandbox.url}/control/faults`)).json()).toEqual({ faults: {} })
})

test('refuses a body that is too large', async () => {
  const fault = { kind: 'failing', status: 500, body: 'x'.repeat(70_000) }
  expect((await put('faults/feeds', fault)).status).toBe(413)
})

test('shows people the vendors, the shows and the faults', async () => {
  const page = await (await fetch(sandbox.url)).text()
  for (const words of [
    'Podcast Index',
    'Speech to text',
    'The Harbour Log',
    '4242 4242 4242 4242',
    'href="/mail"',
  ]) {
    expect(page).toContain(words)
  }
  expect(page).not.toContain('{{')
})

test('answers only the methods that a vendor has, and a browser that asks first', async () => {
  expect((await fetch(`${sandbox.url}/feeds/night-lab`, { method: 'POST' })).status).toBe(405)
  const asked = await fetch(`${sandbox.url}/audio/x.mp3`, { method: 'OPTIONS' })
  expect(asked.status).toBe(204)
  expect(asked.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
})
