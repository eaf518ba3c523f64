import { randomInt, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import fc from 'fast-check'
import { problemSchema, problemStatus } from '@earmark/contracts/problems'
import { type Sandbox, startSandbox } from '@earmark/sandbox/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnySchema } from '@orpc/contract'
import { type Input, requestOf, type Route, routesOf, soundInputs } from '../../../test/api-routes.ts'
import { startApp, type TestApp } from '../../../test/app.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const strictProblem = problemSchema.strict()

type Answer = Awaited<ReturnType<TestApp['call']>>

describe('the edges of every call', () => {
  let sandbox: Sandbox
  let app: TestApp
  let routes: Route[]
  let user: Awaited<ReturnType<TestApp['signUp']>>
  let ownTranscript: string

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
    app = await startApp({
      PODCASTINDEX_BASE_URL: `${sandbox.url}/podcastindex/api/1.0`,
      ITUNES_BASE_URL: `${sandbox.url}/itunes`,
      FETCH_ALLOW_ORIGINS: sandbox.url,
    })
    routes = routesOf((await app.call('GET', '/openapi.json')).body)
    user = await app.signUp(1)
    // Two that run, so that a request for another is answered at once: here is no worker.
    const running = [randomUUID(), randomUUID()]
    await app.app.get<Pool>(POOL).query(
      `insert into transcripts (id, user_id, episode_id, audio_url, status, request_id)
       select id, $2, 'episode ' || id, 'https://audio.example.org/a.mp3', 'processing', 'test' from unnest($1::uuid[]) id`,
      [running, user.id],
    )
    ownTranscript = running[0] ?? ''
    // By the same id, so that one id is known to every path that has one.
    await app.app.get<Pool>(POOL).query(
      `insert into summaries (id, transcript_id, user_id, summary_type, status, request_id)
       values ($1, $1, $2, 'smart_summary', 'processing', 'test')`,
      [ownTranscript, user.id],
    )
    await app.call('GET', '/search?term=harbour', { token: user.token })
  })
  afterAll(async () => {
    await app.close()
    await sandbox.close()
  })

  const send = (
    route: Route,
    inputs: Record<string, unknown>,
    options: Parameters<TestApp['call']>[2] = {},
  ) => {
    const { path, body } = requestOf(route, inputs)
    return app.call(route.method, path, {
      token: user.token,
      ...(body !== undefined && { body }),
      ...options,
    })
  }
  const expectRefusal = (answer: Answer, what: string, ...statuses: number[]) => {
    expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBeGreaterThanOrEqual(400)
    expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBeLessThan(500)
    if (statuses.length > 0) expect(statuses, what).toContain(answer.status)
    const problem = strictProblem.parse(answer.body)
    expect(problemStatus[problem.code], what).toBe(answer.status)
    expect(problem.detail.length, what).toBeGreaterThan(0)
    expect(answer.headers.get('x-request-id'), what).toMatch(/^[\w.:-]{8,100}$/)
    expect(answer.headers.get('content-type'), what).toMatch(/^application\/json/)
  }
  const withInputs = (place?: Input['in']) =>
    routes.flatMap((route) =>
      route.inputs
        .filter((input) => place === undefined || input.in === place)
        .map((input) => ({ route, input })),
    )
  const withBody = () => routes.filter(({ method }) => method !== 'GET')

  it('has calls of each kind to try', () => {
    expect(routes.length).toBeGreaterThanOrEqual(15)
    expect(routes.filter(({ access }) => access === 'account').length).toBeGreaterThan(5)
    expect(withBody().length).toBeGreaterThan(3)
    for (const place of ['path', 'query', 'body'] as const)
      expect(withInputs(place).length).toBeGreaterThan(2)
  })

  it('asks for a token on every call that is not public, whatever the input', async () => {
    for (const route of routes) {
      for (const inputs of [soundInputs(route), {}]) {
        const { path, body } = requestOf(route, inputs)
        for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: 'Basic YTpi' }]) {
          const answer = await app.call(route.method, path, {
            headers: headers,
            ...(body && { body }),
          })
          if (route.access === 'account') {
            expectRefusal(answer, route.name, 401)
            expect(answer.body.code).toBe('not_authenticated')
          } else {
            expect(answer.body.code, route.name).not.toBe('not_authenticated')
          }
        }
      }
    }
  })

  it('refuses a body that is no JSON object, of another type or too large', async () => {
    for (const route of withBody()) {
      const sound = JSON.stringify(soundInputs(route))
      const bodies = [
        '{"a":',
        '[]',
        '[1]',
        'null',
        '"text"',
        '7',
        '',
        '{}',
        '[['.repeat(60_000),
        '{"__proto__":{"a":1}}',
      ]
      for (const body of bodies)
        expectRefusal(await send(route, {}, { body }), `${route.name} ${body.slice(0, 20)}`, 400)
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/xml',
        'nonsense',
        'multipart/form-data; boundary=x',
      ]) {
        expectRefusal(
          await send(route, {}, { body: sound, headers: { 'content-type': type } }),
          `${route.name} ${type}`,
          415,
        )
      }
      const large = JSON.stringify({ ...soundInputs(route), more: 'x'.repeat(300_000) })
      expectRefusal(await send(route, {}, { body: large }), `${route.name} too large`, 413)
    }
  })

  it('refuses each input when it is missing, of another kind, or no text that can be kept', async () => {
    for (const { route, input } of withInputs()) {
      const what = `${route.name} ${input.name}`
      const sound = soundInputs(route)
      const trial = async (value: unknown, ...statuses: number[]) =>
        expectRefusal(
          await send(route, { ...sound, [input.name]: value }),
          `${what} ${JSON.stringify(value).slice(0, 30)}`,
          ...statuses,
        )

      await trial('nu\0ll', 400)
      await trial('\0', 400)
      if (input.in === 'body') {
        for (const value of ['\ud800', 'a\udc00b', ['x'], { '\0': 'x' }]) await trial(value, 400)
        if (input.required) {
          for (const value of [null, {}, []]) await trial(value, 400)
          const { [input.name]: _left, ...without } = sound
          expectRefusal(await send(route, without), what, 400)
        }
      }
      await trial('x'.repeat(9000))
    }
  })

  // Seen red with the headers set behind the refusal of unreadable addresses.
  it('tells the browser what may run and be framed with every answer, refusals too', async () => {
    const answers = {
      answered: await app.call('GET', '/health/live'),
      'signed in': await app.call('GET', '/credits/balance', { token: user.token }),
      refused: await app.call('GET', '/credits/balance'),
      unknown: await app.call('GET', '/no-such-call'),
      unreadable: await app.call('GET', '/podcasts/%00'),
    }
    for (const [what, { headers }] of Object.entries(answers)) {
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy.split(';'), what).toEqual(
        expect.arrayContaining(["default-src 'self'", "script-src 'self'", "frame-ancestors 'none'"]),
      )
      expect(headers.get('x-content-type-options'), what).toBe('nosniff')
    }
  })

  it('takes no address that cannot be read', async () => {
    for (const route of routes) {
      const path = requestOf(route, soundInputs(route)).path.replace(/\?.*/, '')
      const addresses = [`${path}/%zz`, `${path}/%00`, `${path}?a=%00`, `${path}/%ff`, `${path}/more/of/it`]
      for (const address of addresses) {
        const answer = await app.call(route.method, address, {
          token: user.token,
          ...(route.method !== 'GET' && { body: {} }),
        })
        expectRefusal(answer, address, 400, 404)
      }
      expectRefusal(await app.call('PROPFIND', path, { token: user.token }), `PROPFIND ${path}`, 404, 405)
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
        (method) => !routes.some((other) => other.method === method && other.path === route.path),
      )
      for (const method of others)
        expectRefusal(await app.call(method, path, { token: user.token }), `${method} ${path}`)
    }
    for (const address of [
      '/%zz',
      '/nothing',
      '/podcasts/%E0%A4%A/episodes',
      `/podcasts/${'x'.repeat(600)}/episodes`,
      '/..%2f..%2fetc%2fpasswd',
    ]) {
      expectRefusal(await app.call('GET', address, { token: user.token }), address)
    }
    const odd = [
      '?term=a&term=b',
      '?term[]=a&term[b]=c',
      '?term[__proto__][x]=1',
      '?__proto__=1&constructor[prototype]=2',
      '?%E0%A4%A=1',
      '?&&==&',
    ]
    for (const query of odd)
      expectRefusal(await app.call('GET', `/search${query}`, { token: user.token }), query, 400)
  })

  it('answers in the one shape what is not even a request', async () => {
    const { hostname, port } = new URL(app.base)
    const shout = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let heard = ''
        const socket = connect(Number(port), hostname, () => socket.write(text))
        socket.on('data', (part) => (heard += part.toString()))
        socket.on('close', () => resolve(heard))
        socket.on('error', reject)
      })
    const shouts = [
      'nonsense\r\n\r\n',
      `GET /v1/search?term=${'x'.repeat(40_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      `GET /v1/search HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
      'GET /v1/se\0arch HTTP/1.1\r\nhost: a\r\n\r\n',
    ]
    for (const text of shouts) {
      const [head = '', body = ''] = (await shout(text)).split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 4\d\d .*\r\nx-request-id: [\w-]{36}\r\n/)
      expect(strictProblem.parse(JSON.parse(body)).code).toBe('invalid_input')
    }
  })

  it('answers with and without a slash at the end', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const { path } = requestOf(route, soundInputs(route))
      const [bare, slashed] = [
        await app.call('GET', path, { token: user.token }),
        await app.call('GET', path.replace(/(\?|$)/, '/$1'), { token: user.token }),
      ]
      expect(slashed.status, path).toBe(bare.status)
    }
  })

  it('keeps what belongs to another user a secret: 404 on each reading of the path', async () => {
    const stranger = await app.signUp()
    const withId = routes.filter(({ path }) => path.includes('{id}'))
    expect(withId.length).toBeGreaterThanOrEqual(2)
    for (const route of withId) {
      expect((await send(route, { id: ownTranscript })).status, route.name).toBe(200)
      const answer = await send(route, { id: ownTranscript }, { token: stranger.token })
      expectRefusal(answer, route.name, 404)
      expect(answer.body).toEqual((await send(route, { id: randomUUID() }, { token: stranger.token })).body)
      for (const id of ['1', 'x', '../1', ownTranscript.slice(1), `${ownTranscript}0`]) {
        expectRefusal(await send(route, { id }), `${route.name} ${id}`)
      }
    }
    expect((await app.call('GET', '/api/transcripts', { token: stranger.token })).body).toEqual({
      transcripts: [],
      total: 0,
    })
  })

  it('carries the id that a proxy gave the request, unless it is none', async () => {
    const id = async (given: string) =>
      (await app.call('GET', '/nothing', { headers: { 'x-request-id': given } })).headers.get('x-request-id')
    expect(await id('from-the-proxy-1')).toBe('from-the-proxy-1')
    for (const odd of ['short', 'with spaces in it', '<script>alert(1)</script>', 'x'.repeat(200)])
      expect(await id(odd)).not.toBe(odd)
  })

  it(`holds to its own description under 400 odd inputs (SEED=${seed})`, async () => {
    const routeOf = new Map(routes.map((route) => [route.name, route]))
    const trials = fc.constantFrom(...routeOf.values()).chain((route) =>
      fc.record({
        name: fc.constant(route.name),
        inputs: fc.record(Object.fromEntries(route.inputs.map((input) => [input.name, valueOf(input)])), {
          requiredKeys: [],
        }),
      }),
    )
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(trials, async ({ name, inputs }) => {
        const route = routeOf.get(name)
        if (!route) throw new Error(`no route ${name}`)
        const given = { ...soundInputs(route), ...inputs }
        const answer = await send(route, given)
        seen.add(`${route.name} ${answer.status < 400 ? 'answered' : 'refused'}`)
        const isUnready = route.path === '/health/ready' && answer.status === 503
        if (answer.status >= 400 && !isUnready) {
          expectRefusal(answer, `${route.name} ${JSON.stringify(given)}`)
          return
        }
        const schema: AnySchema | undefined = isUnready
          ? strictProblem
          : route.procedure['~orpc'].outputSchema
        const result = await schema?.['~standard'].validate(answer.body)
        expect(result?.issues, `${route.name} ${JSON.stringify(answer.body)}`).toBeUndefined()
      }),
      { seed, numRuns: 400 },
    )
    expect([...seen].filter((line) => line.endsWith('answered')).length).toBeGreaterThan(8)
    expect([...seen].filter((line) => line.endsWith('refused')).length).toBeGreaterThan(8)
  })
})

/** Values of an input's own kind beside ones that no form would send. */
function valueOf({ schema, name }: Input): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      ' ',
      '\0',
      '\ud800',
      '%',
      '%00',
      "';--",
      '{}',
      '[]',
      'null',
      '-1',
      '1e9',
      'NaN',
      'Infinity',
      '0x10',
      '𝕏',
      '\u202e',
      'x'.repeat(5000),
    ),
    fc.jsonValue({ maxDepth: 2 }),
    fc.double(),
    fc.maxSafeInteger(),
  )
  const own: fc.Arbitrary<unknown>[] = []
  if (schema.enum) own.push(fc.constantFrom(...schema.enum))
  if (schema.type === 'integer' || schema.type === 'number') {
    own.push(
      fc.integer({ min: Math.max(schema.minimum ?? 0, -10), max: Math.min(schema.maximum ?? 1000, 1e15) }),
    )
  }
  if (schema.type === 'string') own.push(fc.string({ maxLength: Math.min(schema.maxLength ?? 50, 50) }))
  if (name === 'feed') own.push(fc.constantFrom('the-harbour-log', 'slow-cities'))
  if (name === 'term') own.push(fc.constantFrom('harbour', 'the'))
  return fc.oneof(odd, ...own, ...own)
}
