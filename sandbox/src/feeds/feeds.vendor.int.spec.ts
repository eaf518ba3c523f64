import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../server.ts'

let sandbox: Sandbox
beforeAll(async () => (sandbox = await startSandbox({ port: 0 })))
afterAll(() => sandbox.close())

async function feed(slug: string): Promise<string> {
  return (await fetch(`${sandbox.url}/feeds/${slug}`)).text()
}

function all(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}

test('writes durations in the forms that real feeds use, and leaves one out', async () => {
  const durations = async (slug: string) => all(/<itunes:duration>(.*?)</g, await feed(slug))
  expect((await durations('harbour-log'))[0]).toMatch(/^00:02:\d\d$/)
  expect((await durations('slow-cities'))[0]).toMatch(/^2:\d\d$/)
  expect((await durations('night-lab'))[0]).toMatch(/^1\d\d$/)
  const rough = await durations('rough-tapes')
  expect(rough.slice(0, 2)).toEqual(['30:00', '60'])
  expect(rough).toHaveLength(6)
})

test('has a show that fills more than two pages of twenty', async () => {
  expect(all(/<(item)>/g, await feed('one-small-word')).length).toBeGreaterThanOrEqual(45)
})

test('leads to audio and artwork that are there, and as long as the feed says', async () => {
  for (const slug of ['harbour-log', 'port-authority', 'one-small-word']) {
    const rss = await feed(slug)
    const [url = '', length = ''] = /<enclosure url="(.*?)" length="(\d+)"/.exec(rss)?.slice(1) ?? []
    const audio = await fetch(url, { method: 'HEAD' })
    expect(audio.status).toBe(200)
    expect(audio.headers.get('content-type')).toBe('audio/mpeg')
    expect(audio.headers.get('content-length')).toBe(length)
    const artwork = await fetch(/<itunes:image href="(.*?)"/.exec(rss)?.[1] ?? '')
    expect(artwork.headers.get('content-type')).toContain('image/svg+xml')
    expect(artwork.headers.get('access-control-allow-origin')).toBe('*')
    expect(await artwork.text()).toContain('<svg')
  }
})

test('answers 304 to a client whose copy is the same', async () => {
  const url = `${sandbox.url}/feeds/harbour-log`
  const { headers } = await fetch(url)
  const asked = (name: string, value: string | null) => fetch(url, { headers: { [name]: value ?? '' } })
  const byTag = await asked('if-none-match', headers.get('etag'))
  expect(byTag.status).toBe(304)
  expect(await byTag.text()).toBe('')
  expect((await asked('if-none-match', '"other"')).status).toBe(200)
  expect((await asked('if-modified-since', headers.get('last-modified'))).status).toBe(304)
  expect((await asked('if-modified-since', 'Thu, 01 Jan 2026 00:00:00 GMT')).status).toBe(200)
})

test.each([
  '/feeds/none',
  '/feeds/harbour-log/more',
  '/artwork/harbour-log/9x8.svg',
  '/artwork/none/60x60.svg',
])('has nothing at %s', async (path) => {
  expect((await fetch(sandbox.url + path)).status).toBe(404)
})
