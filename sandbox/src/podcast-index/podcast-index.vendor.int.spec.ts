import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

let sandbox: Sandbox
beforeAll(async () => (sandbox = await startSandbox({ port: 0 })))
afterAll(() => sandbox.close())

function signed(atSeconds = Math.floor(Date.now() / 1000), secret = 'sandbox'): Record<string, string> {
  const date = String(atSeconds)
  const authorization = createHash('sha1').update(`sandbox${secret}${date}`).digest('hex')
  return { 'X-Auth-Key': 'sandbox', 'X-Auth-Date': date, Authorization: authorization, 'User-Agent': 'test' }
}

function search(query: string, headers = signed()): Promise<Response> {
  return fetch(`${sandbox.url}/podcastindex/api/1.0/search/byterm?${query}`, { headers })
}

test('finds shows by title, author and owner', async () => {
  const answer = await search('q=harbour')
  expect(answer.status).toBe(200)
  const found = (await answer.json()) as { feeds: { title: string; url: string }[] }
  expect(found).toMatchObject({ status: 'true', count: 3, query: 'harbour' })
  expect(found.feeds.map(({ title }) => title)).toEqual(['The Harbour Log', 'Port Authority', 'Quiet Water'])
  expect(found.feeds[0]).toMatchObject({
    url: `${sandbox.url}/feeds/harbour-log`,
    contentType: 'application/rss+xml; charset=utf-8',
    dead: 0,
    itunesId: 1700000001,
    categories: { '1': 'History' },
  })
})

test('finds at most as many as were asked for', async () => {
  expect(await (await search('q=harbour&max=2')).json()).toMatchObject({ count: 2 })
})

test('finds nothing that it does not have', async () => {
  expect(await (await search('q=zzz')).json()).toMatchObject({ status: 'true', count: 0, feeds: [] })
  expect(await (await search('q=kitchen')).json()).toMatchObject({ count: 0 })
})

test('refuses a search without a term', async () => {
  expect((await search('max=2')).status).toBe(400)
})

test.each([
  ['no headers', () => ({})],
  ['a wrong secret', () => signed(undefined, 'guess')],
  ['a date four minutes old', () => signed(Math.floor(Date.now() / 1000) - 240)],
  ['a date that is none', () => ({ ...signed(), 'X-Auth-Date': 'now' })],
  ['another key', () => ({ ...signed(), 'X-Auth-Key': 'other' })],
])('refuses %s', async (_, headers) => {
  const answer = await search('q=harbour', headers())
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ status: 'false' })
})
