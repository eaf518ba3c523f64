import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

let sandbox: Sandbox
beforeAll(async () => (sandbox = await startSandbox({ port: 0 })))
afterAll(() => sandbox.close())

function search(query: string): Promise<Response> {
  return fetch(`${sandbox.url}/itunes/search?media=podcast&entity=podcast&${query}`)
}

test('finds a show that it alone has, as JSON that calls itself JavaScript', async () => {
  const answer = await search('term=kitchen+physics')
  expect(answer.headers.get('content-type')).toContain('text/javascript')
  expect(await answer.json()).toMatchObject({
    resultCount: 1,
    results: [
      {
        kind: 'podcast',
        collectionName: 'Kitchen Physics',
        feedUrl: `${sandbox.url}/feeds/kitchen-physics`,
        artworkUrl600: `${sandbox.url}/artwork/kitchen-physics/600x600.svg`,
        trackCount: 3,
      },
    ],
  })
})

test('spells one feed with a slash at its end, and that feed is there', async () => {
  const found = (await (await search('term=slow cities')).json()) as { results: { feedUrl: string }[] }
  expect(found.results[0]?.feedUrl).toBe(`${sandbox.url}/feeds/slow-cities/`)
  expect((await fetch(found.results[0]?.feedUrl ?? '')).status).toBe(200)
})

test('does not have the show that only the index has', async () => {
  expect(await (await search('term=quiet+water')).json()).toEqual({ resultCount: 0, results: [] })
})

test('keeps to the limit, and finds nothing for no term', async () => {
  expect(await (await search('term=the&limit=1')).json()).toMatchObject({ resultCount: 1 })
  expect(await (await search('term=')).json()).toMatchObject({ resultCount: 0 })
})
