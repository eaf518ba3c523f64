import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { testConfig } from '../../../test/app.ts'
import { FetchRefused, GuardedFetch, readAll } from './guarded-fetch.ts'

/** What the names of these tests resolve to, one answer a question; the last one stays. */
const answers = vi.hoisted(() => new Map<string, string[][]>())
vi.mock('node:dns', async (original) => {
  const dns = await original<typeof import('node:dns')>()
  type Callback = (error: Error | null, addresses: { address: string; family: number }[]) => void
  const lookup = (name: string, options: object, callback: Callback) => {
    const [first, ...later] = answers.get(name.replace(/\.$/, '')) ?? []
    if (!first) {
      dns.lookup(name, { ...options, all: true }, callback)
      return
    }
    if (later.length > 0) answers.set(name, later)
    callback(
      null,
      first.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { ...dns, lookup }
})

/** Ways to say 127.0.0.1, ::1 or another machine inside; PORT is the canary's. */
const waysInside = `
  127.0.0.1 127.0.0.2 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7F.0.0.1 0x7f.1 017700000001 0177.0.0.1
  0177.1 127.0.0.0x1 127.0.0.1. 127.1. 0 0.0.0.0 0x0 00.0.0.0 localhost localhost. LOCALHOST LocalHost. %6cocalhost
  127%2e0%2e0%2e1 ⓛⓞⓒⓐⓛⓗⓞⓢⓣ １２７.０.０.１ 127。0。0。1
  [::1] [::1%25lo] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::127.0.0.1]
  [::7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] [::ffff:0:7f00:1] [fe80::1] [fc00::1] [fd00:ec2::254] [fec0::1] [ff02::1]
  10.0.0.1 10.255.255.254 172.16.0.1 172.31.255.254 192.168.0.1 192.168.1.254 169.254.169.254 0xa9fea9fe 2852039166
  0251.0376.0251.0376 100.64.0.1 198.18.0.1 192.0.0.1 192.0.2.1 224.0.0.1 240.0.0.1 255.255.255.255
  [::ffff:169.254.169.254] [::ffff:10.0.0.1]
  inside.example both.example six.example mapped.example metadata.example`
  .trim()
  .split(/\s+/)

describe('fetching what a user names', () => {
  let canary: Server
  let canaryPort: number
  let heardBytes = 0
  let connections = 0
  let host: Server
  let origin: string
  let outgoing: GuardedFetch
  /** What the one allowed host does with the next requests. */
  let behave: (request: IncomingMessage, response: ServerResponse) => void = () => undefined

  beforeAll(async () => {
    canary = createServer((_request, response) => response.end('the canary'))
    canary.on('connection', (socket) => {
      connections += 1
      socket.on('data', (part) => (heardBytes += part.length))
    })
    canaryPort = await listen(canary, '::')
    host = createServer((request, response) => behave(request, response))
    origin = `http://127.0.0.1:${await listen(host, '127.0.0.1')}`
    outgoing = new GuardedFetch(
      testConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', FETCH_ALLOW_ORIGINS: origin }),
    )
    answers.set('inside.example', [['127.0.0.1']])
    answers.set('both.example', [['93.184.216.34', '127.0.0.1']])
    answers.set('six.example', [['::1']])
    answers.set('mapped.example', [['::ffff:127.0.0.1']])
    answers.set('metadata.example', [['169.254.169.254']])
  })
  afterAll(async () => {
    await outgoing.onApplicationShutdown()
    for (const server of [canary, host]) {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
  })
  afterEach(() => expect({ connections, heardBytes }).toEqual({ connections: 0, heardBytes: 0 }))

  const get = async (url: string, options: { maxBytes?: number; timeoutMs?: number } = {}) => {
    const response = await outgoing.get(url, {
      maxBytes: 1_000_000,
      timeoutMs: 5000,
      acceptEncoding: true,
      ...options,
    })
    return readAll(response)
  }
  const refusal = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => new Error('nothing was refused'),
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof FetchRefused)) throw error
    return error
  }

  it('has at least 60 ways to try', () => {
    expect(new Set(waysInside).size).toBeGreaterThanOrEqual(60)
  })

  it.each(waysInside)('does not go to %s, neither asked nor sent there', async (way) => {
    const address = `http://${way}:${canaryPort}/meta`
    // Not every resolver takes a dot behind the name.
    const refused = way.endsWith('t.') ? /^(forbidden_address|unreachable)$/ : /^(forbidden_address|bad_url)$/
    expect((await refusal(get(address))).reason).toMatch(refused)
    for (const status of [301, 302, 303, 307, 308]) {
      behave = (_request, response) => response.writeHead(status, { location: encodeURI(address) }).end()
      expect((await refusal(get(`${origin}/moved`))).reason).toMatch(refused)
    }
  })

  it.each([
    'http://someone@127.0.0.1:PORT/',
    'http://example.org@127.0.0.1:PORT/',
    'http://example.org:80@127.0.0.1:PORT/',
    'http://someone:secret@example.org/',
    'file:///etc/passwd',
    'ftp://127.0.0.1:PORT/',
    'gopher://127.0.0.1:PORT/_GET',
    'data:text/xml,<rss/>',
    'javascript:alert(1)',
    'blob:http://127.0.0.1:PORT/1',
    '//127.0.0.1:PORT/',
    'http://',
    'http://[::1',
    'nonsense',
    '',
  ])('takes %j for no address of the web', async (written) => {
    expect((await refusal(get(written.replace('PORT', String(canaryPort))))).reason).toBe('bad_url')
  })

  it('does not believe a name that answers differently the second time', async () => {
    // 192.0.2.1 is nowhere: were it let through, connecting would fail, and trying again would reach the canary.
    answers.set('rebind.example', [['93.184.216.34', '127.0.0.1'], ['127.0.0.1']])
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await refusal(get(`http://rebind.example:${canaryPort}/`))).reason).toBe('forbidden_address')
    }
  })

  it('allows an origin by its exact name only', async () => {
    behave = (_request, response) => response.end('fine')
    expect((await get(`${origin}/feed`)).toString()).toBe('fine')
    const { port } = new URL(origin)
    for (const other of [
      `http://localhost:${port}/`,
      `http://127.0.0.2:${port}/`,
      `https://127.0.0.1:${port}/`,
    ]) {
      expect((await refusal(get(other))).reason).toBe('forbidden_address')
    }
  })

  it('gives up a chain of redirects, and follows a short one', async () => {
    behave = (request, response) => response.writeHead(302, { location: `${request.url ?? ''}x` }).end()
    expect((await refusal(get(`${origin}/`))).reason).toBe('too_many_redirects')
    behave = (request, response) =>
      request.url === '/end' ? response.end('there') : response.writeHead(302, { location: '/end' }).end()
    expect((await get(`${origin}/`)).toString()).toBe('there')
  })

  it('inflates what was compressed', async () => {
    for (const [encoding, packed] of Object.entries({
      gzip: gzipSync('text'),
      GZIP: gzipSync('text'),
      br: brotliCompressSync('text'),
      deflate: deflateSync('text'),
    })) {
      behave = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(packed)
      expect((await get(`${origin}/`)).toString(), encoding).toBe('text')
    }
  })

  it('cuts off what inflates beyond the limit, in little memory', async () => {
    const zeros = Buffer.alloc(256_000_000)
    const bombs = {
      gzip: gzipSync(zeros, { level: 1 }),
      br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    }
    for (const [encoding, bomb] of Object.entries(bombs)) {
      expect(bomb.length).toBeLessThan(3_000_000)
      behave = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
      const before = process.memoryUsage().rss
      expect(await refusal(get(`${origin}/`, { maxBytes: 10_000_000 }))).toMatchObject({
        reason: 'too_large',
        temporary: false,
      })
      expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
    }
  })

  it('cuts off an endless body and hangs up', async () => {
    const hungUp = endless(200)
    expect((await refusal(get(`${origin}/`))).reason).toBe('too_large')
    await hungUp
  })

  it.each([302, 404, 500])('hangs up on a %i whose body nobody reads', async (status) => {
    const hungUp = endless(status)
    await refusal(get(`${origin}/`, { timeoutMs: 60_000 }))
    await hungUp
  })

  it('cuts a slow drip at the deadline, and a host that says nothing', async () => {
    let drip: NodeJS.Timeout | undefined
    behave = (_request, response) => {
      response.writeHead(200)
      drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    }
    expect(await refusal(get(`${origin}/`, { timeoutMs: 300 }))).toMatchObject({
      reason: 'too_slow',
      temporary: true,
    })
    behave = () => undefined
    expect((await refusal(get(`${origin}/`, { timeoutMs: 300 }))).reason).toBe('too_slow')
  })

  it('says whether trying again may help', async () => {
    for (const [status, temporary] of [
      [404, false],
      [410, false],
      [403, false],
      [429, true],
      [500, true],
      [503, true],
    ] as const) {
      behave = (_request, response) => response.writeHead(status).end()
      expect(await refusal(get(`${origin}/`))).toMatchObject({ reason: 'http_error', status, temporary })
    }
    behave = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all')
    expect((await refusal(get(`${origin}/`))).reason).toBe('interrupted')
    behave = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half')
      setImmediate(() => response.destroy())
    }
    expect((await refusal(get(`${origin}/`))).reason).toBe('interrupted')
  })

  /** Answers with a body that never ends; resolves once the client has hung up. */
  function endless(status: number): Promise<void> {
    return new Promise((hungUp) => {
      behave = (request, response) => {
        if (request.url === '/end') {
          response.writeHead(404).end()
          return
        }
        response.writeHead(status, { ...(status === 302 && { location: '/end' }) })
        const pour = () => {
          while (response.writable && response.write(Buffer.alloc(65_536)));
        }
        response.on('drain', pour)
        response.on('close', () => hungUp())
        pour()
      }
    })
  }
})

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}
