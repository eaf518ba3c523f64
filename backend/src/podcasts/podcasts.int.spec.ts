import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Sandbox, startSandbox } from '@earmark/sandbox/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/app.ts'
import { POOL, type Pool } from '../platform/postgres/postgres.module.ts'
import { feedId } from './feed-identity.ts'

describe('searching both directories', () => {
  let sandbox: Sandbox
  let app: TestApp
  let token: string

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
    app = await startApp({
      PODCASTINDEX_BASE_URL: `${sandbox.url}/podcastindex/api/1.0`,
      ITUNES_BASE_URL: `${sandbox.url}/itunes`,
      FETCH_ALLOW_ORIGINS: sandbox.url,
    })
    token = (await app.signUp()).token
  })
  afterAll(async () => {
    await app.close()
    await sandbox.close()
  })
  const faults = (body: object) =>
    fetch(`${sandbox.url}/control/faults`, { method: 'PUT', body: JSON.stringify(body) })
  afterEach(() => faults({}))

  const search = (term: string) => app.call('GET', `/search?term=${encodeURIComponent(term)}`, { token })
  const titles = async (term: string) => {
    const { status, body } = await search(term)
    expect(status).toBe(200)
    return (body.feeds as { title: string }[]).map(({ title }) => title).sort()
  }

  it('lists a show that both know once, with the best of what each says', async () => {
    const { body } = await search('slow cities')
    expect(body.feeds).toHaveLength(1)
    expect(body.feeds[0]).toMatchObject({
      id: feedId(`${sandbox.url}/feeds/slow-cities`),
      title: 'Slow Cities',
      description: expect.stringContaining('a reason to stay'),
      url: `${sandbox.url}/feeds/slow-cities`,
      is_favorited: false,
    })
    expect(await titles('quiet water')).toEqual(['Quiet Water'])
    expect(await titles('kitchen physics')).toEqual(['Kitchen Physics'])
    expect(await titles('no such show anywhere')).toEqual([])
  })

  it.each([
    ['failing', { kind: 'failing', status: 500 }],
    ['limited', { kind: 'rateLimited', retryAfterSeconds: 60 }],
    ['speaking nonsense', { kind: 'failing', status: 418, body: '<html>' }],
    ['down', { kind: 'down' }],
    ['hanging for more than three seconds', { kind: 'hanging' }],
  ])('leaves out a directory that is %s, and says so when both are', async (_title, fault) => {
    await faults({ podcastindex: fault })
    expect(await titles('kitchen physics')).toEqual(['Kitchen Physics'])
    await faults({ itunes: fault, podcastindex: fault })
    expect(await search('kitchen physics')).toMatchObject({
      status: 502,
      body: {
        code: 'directories_unavailable',
        detail: 'The podcast directories cannot be reached. Please try again shortly.',
      },
    })
  })

  it('lists the episodes of what was found, by id and by slug', async () => {
    await search('harbour log')
    const byId = await app.call('GET', `/podcasts/${feedId(`${sandbox.url}/feeds/harbour-log`)}/episodes`, {
      token,
    })
    expect(byId).toMatchObject({
      status: 200,
      body: { total: 5, has_more: false, next_offset: null, podcast: { title: 'The Harbour Log' } },
    })
    expect(byId.body.episodes[0]).toMatchObject({
      title: 'Why lighthouses kept two logs',
      audio_url: expect.stringMatching(/^http/),
    })
    expect((await app.call('GET', '/podcasts/the-harbour-log/episodes', { token })).body).toEqual(byId.body)
    expect(await app.call('GET', '/podcasts/never-searched-for/episodes', { token })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})

describe('the episodes of a feed', () => {
  type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer } | 'hang up'
  let host: Server
  let origin: string
  let app: TestApp
  let token: string
  let answer: (request: IncomingMessage) => Answer = () => ({})
  let asked: IncomingMessage[] = []

  beforeAll(async () => {
    host = createServer((request, response) => {
      if (request.url?.startsWith('/search')) {
        const shows = new URL(request.url, origin).searchParams.get('term') ?? ''
        response.end(JSON.stringify({ results: JSON.parse(shows) as unknown }))
        return
      }
      asked.push(request)
      const given = answer(request)
      if (given === 'hang up') response.destroy()
      else response.writeHead(given.status ?? 200, given.headers).end(given.body)
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    app = await startApp({
      PODCAST_DIRECTORIES: 'itunes',
      ITUNES_BASE_URL: origin,
      FETCH_ALLOW_ORIGINS: origin,
    })
    token = (await app.signUp()).token
  })
  afterAll(async () => {
    await app.close()
    host.closeAllConnections()
    await new Promise((closed) => host.close(closed))
  })
  afterEach(() => {
    asked = []
  })

  /** Makes a feed known, as a search does. */
  const know = async (path: string, collectionName = path) => {
    const term = JSON.stringify([{ feedUrl: origin + path, collectionName }])
    const found = await app.call('GET', `/search?term=${encodeURIComponent(term)}`, { token })
    expect(found.status).toBe(200)
    return found.body.feeds[0].id as string
  }
  const episodes = (feed: string, query = '') =>
    app.call('GET', `/podcasts/${encodeURIComponent(feed)}/episodes${query}`, { token })
  const age = (id: string) =>
    app.app
      .get<Pool>(POOL)
      .query("update feeds set fetched_at = now() - interval '11 minutes' where id = $1", [id])
  const rss = (names: string[], title = 'Own Title') =>
    `<?xml version="1.0"?><rss version="2.0"><channel><title>${title}</title><description>d</description>${names
      .map(
        (name, index) =>
          `<item><guid>${name}</guid><title>${name}</title><pubDate>${new Date(Date.UTC(2026, 0, 60 - index)).toUTCString()}</pubDate></item>`,
      )
      .join('')}</channel></rss>`
  const namesOf = (body: { episodes: { title: string }[] }) => body.episodes.map(({ title }) => title)

  it('asks its host again only after ten minutes, and then only whether it changed', async () => {
    const id = await know('/conditional')
    answer = () => ({
      headers: { etag: '"v1"', 'last-modified': 'Tue, 15 Sep 2026 05:00:00 GMT' },
      body: rss(['one']),
    })
    const first = await episodes(id)
    expect(namesOf(first.body)).toEqual(['one'])
    expect((await episodes(id)).body).toEqual(first.body)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.headers['if-none-match']).toBeUndefined()

    await age(id)
    answer = () => ({ status: 304 })
    expect((await episodes(id)).body).toEqual(first.body)
    expect((await episodes(id)).body).toEqual(first.body)
    expect(asked).toHaveLength(2)
    expect(asked[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Tue, 15 Sep 2026 05:00:00 GMT',
    })

    await age(id)
    answer = () => ({ body: gzipSync(rss(['two', 'one'])), headers: { 'content-encoding': 'gzip' } })
    expect(namesOf((await episodes(id)).body)).toEqual(['two', 'one'])
    expect((await episodes(id)).body.episodes[1].id).toBe(first.body.episodes[0].id)
  })

  it('asks its host once for many readers at the same time', async () => {
    const id = await know('/popular')
    answer = () => ({ body: rss(['one']) })
    const answers = await Promise.all(Array.from({ length: 10 }, () => episodes(id)))
    expect(answers.map(({ body }) => namesOf(body))).toEqual(Array(10).fill(['one']))
    expect(asked).toHaveLength(1)
  })

  it('come in pages, newest first, and can be searched', async () => {
    const id = await know('/long')
    const names = Array.from({ length: 45 }, (_, index) => `Number ${index} of 100%_\\`)
    answer = () => ({ body: rss(names) })
    expect((await episodes(id)).body).toMatchObject({ total: 45, has_more: true, next_offset: 20 })
    const second = (await episodes(id, '?page=2&limit=20')).body
    expect(namesOf(second)).toEqual(names.slice(20, 40))
    expect((await episodes(id, '?page=1&limit=20&offset=40')).body).toMatchObject({
      has_more: false,
      next_offset: null,
    })
    expect(namesOf((await episodes(id, '?offset=40')).body)).toEqual(names.slice(40))
    expect(namesOf((await episodes(id, '?page=9')).body)).toEqual([])
    expect(namesOf((await episodes(id, '?search=NUMBER+7')).body)).toEqual([names[7]])
    expect((await episodes(id, `?search=${encodeURIComponent('100%_\\')}`)).body.total).toBe(45)
    for (const wildcard of ['1_0', 'r%8', '\\\\']) {
      expect((await episodes(id, `?search=${encodeURIComponent(wildcard)}`)).body.total, wildcard).toBe(0)
    }
  })

  it('stay as they were while the feed cannot be had or read', async () => {
    const id = await know('/moody')
    answer = () => ({ body: rss(['kept']) })
    const good = await episodes(id)
    const bad: Answer[] = [
      'hang up',
      { status: 404 },
      { status: 503 },
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      { body: 'no feed' },
      { body: `<!DOCTYPE rss [<!ENTITY a "b">]>${rss(['bad'])}` },
      { headers: { 'content-encoding': 'gzip' }, body: 'no gzip' },
    ]
    for (const given of bad) {
      await age(id)
      answer = () => given
      expect(await episodes(id)).toMatchObject({ status: 200, body: good.body })
    }
    expect(asked.length).toBe(bad.length + 1)

    for (const [index, given] of bad.entries()) {
      const unread = await know(`/never-well/${index}`)
      answer = () => given
      expect(await episodes(unread)).toMatchObject({ status: 502, body: { code: 'feed_unavailable' } })
      answer = () => ({ body: rss(['well']) })
      expect(namesOf((await episodes(unread)).body)).toEqual(['well'])
    }
  })

  it('are found by id where the title makes no slug, and by the latest of several with one slug', async () => {
    const nameless = await know('/nameless', '!!!')
    answer = () => ({ body: rss(['one']) })
    expect(namesOf((await episodes(nameless)).body)).toEqual(['one'])
    const { rows } = await app.app.get<Pool>(POOL).query('select slug from feeds where id = $1', [nameless])
    expect(rows).toEqual([{ slug: nameless }])

    const [older, newer] = [await know('/twin/a', 'Twin Show'), await know('/twin/b', 'Twin Show')]
    answer = (request) => ({ body: rss([request.url ?? '']) })
    await episodes(older)
    await episodes(newer)
    expect(namesOf((await episodes('twin-show')).body)).toEqual(['/twin/b'])
  })

  it('take from a feed and a directory only text that can be kept', async () => {
    const id = await know('/odd', 'Odd \\u0000 and \ud800 Title'.replace('\\u0000', '\0'))
    answer = () => ({ body: rss(['a\0b', 'c&#xD800;d', '&#0;']) })
    expect((await episodes(id)).body).toMatchObject({ total: 3 })
  })

  it('of a feed that nobody may fetch are refused, with nothing sent there', async () => {
    const term = JSON.stringify([
      { feedUrl: 'http://localhost:1/feed', collectionName: 'Inside' },
      { feedUrl: 'file:///etc/passwd', collectionName: 'A File' },
    ])
    const { body } = await app.call('GET', `/search?term=${encodeURIComponent(term)}`, { token })
    expect((body.feeds as { title: string }[]).map(({ title }) => title)).toEqual(['Inside'])
    expect(await episodes('inside')).toMatchObject({ status: 502, body: { code: 'feed_unavailable' } })
  })

  it('have ids that are theirs alone', async () => {
    const [first, second] = [await know('/one-feed'), await know('/another-feed')]
    answer = () => ({ body: rss(['the same guid']) })
    const [a, b] = [await episodes(first), await episodes(second)]
    expect(a.body.episodes[0].id).not.toBe(b.body.episodes[0].id)
    expect(first).toBe(
      createHash('sha256')
        .update(`${new URL(origin).host}/one-feed`)
        .digest('hex')
        .slice(0, 20),
    )
  })
})
