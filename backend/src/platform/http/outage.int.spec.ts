import { Writable } from 'node:stream'
import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppModule } from '../../app.module.ts'
import { createDatabase, startApp, type TestApp, testConfig } from '../../../test/app.ts'
import { namespaces } from '../../../test/servers.ts'
import { interruptible } from '../../../test/database-outage.ts'
import { createLogger } from '../logging/logger.ts'
import { createHttpApp } from './create-http-app.ts'

describe('while the database is away', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let way: Awaited<ReturnType<typeof interruptible>>
  let app: TestApp

  beforeAll(async () => {
    database = await createDatabase()
    way = await interruptible(database.url)
    app = await startApp({ DATABASE_URL: way.url, TEMPORAL_NAMESPACE: namespaces.idle })
  })
  afterAll(async () => {
    await app.close()
    await way.interrupt()
    await database.drop()
  })

  it('says which parts are missing, and is ready to serve again when they are back', async () => {
    const ready = () => app.call('GET', '/health/ready')
    const names = (body: { details: { parts: { name: string; ready: boolean }[] } }) =>
      body.details.parts.filter((part) => !part.ready).map((part) => part.name)

    const withoutWorker = await ready()
    expect(withoutWorker).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable', detail: 'Not ready: worker' },
    })
    expect(names(withoutWorker.body)).toEqual(['worker'])

    await way.interrupt()
    const withoutDatabase = await ready()
    expect(withoutDatabase).toMatchObject({
      status: 503,
      body: { detail: 'Not ready: database, ledger, worker, projections' },
    })
    expect(names(withoutDatabase.body)).toEqual(['database', 'ledger', 'worker', 'projections'])
    expect((await app.call('GET', '/health/live')).status).toBe(200)

    await way.restore()
    expect(names((await ready()).body)).toEqual(['worker'])
  })

  it('never tells a client that its session is over', async () => {
    const user = await app.signUp()
    const challenged = { email: user.email, password: user.password, turnstile_token: await app.solve() }
    await way.interrupt()
    try {
      const calls = [
        await app.call('POST', '/auth/v1/token?grant_type=refresh_token', {
          body: { refresh_token: user.refreshToken },
        }),
        await app.call('GET', '/auth/v1/user', { token: user.token }),
        await app.call('POST', '/auth/v1/logout', { token: user.token }),
      ]
      for (const { status, body } of calls) {
        expect(status).toBe(503)
        expect(body).toMatchObject({ code: 503, error_code: 'unexpected_failure' })
      }
      const ownCalls = [
        await app.call('GET', '/credits/balance', { token: user.token }),
        await app.call('POST', '/auth/signin', { body: challenged }),
      ]
      for (const { status, body, headers } of ownCalls) {
        expect({ status, code: body.code }).toEqual({ status: 503, code: 'temporarily_unavailable' })
        expect(headers.get('retry-after')).toBe('5')
      }
      const auth = new AuthClient({
        url: `${app.base}/auth/v1`,
        autoRefreshToken: false,
        storageKey: 'outage',
      })
      expect((await auth.getUser(user.token)).error?.name).toBe('AuthRetryableFetchError')
    } finally {
      await way.restore()
    }
    expect((await app.call('GET', '/credits/balance', { token: user.token })).status).toBe(200)
    expect((await app.call('POST', '/auth/signin', { body: challenged })).status).toBe(200)
  })
})

describe('the log', () => {
  it('holds neither password nor token of a sign-up, a sign-in, a refresh and their failures', async () => {
    const lines: string[] = []
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString())
        done()
      },
    })
    const logger = createLogger('debug', 'test', sink)
    const database = await createDatabase()
    const way = await interruptible(database.url)
    const config = testConfig({ DATABASE_URL: way.url })
    const nest = await createHttpApp(AppModule.of(config, logger), config, logger)
    await nest.listen(0, '127.0.0.1')
    const base = `${await nest.getUrl()}/v1`
    const other = await startApp()
    const secrets = new Set<string>()
    const post = async (path: string, body: Record<string, string>, token?: string) => {
      for (const [name, value] of Object.entries(body)) if (name !== 'email') secrets.add(value)
      const response = await fetch(base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
      const answer = (await response.json().catch(() => ({}))) as Record<string, string>
      for (const name of ['access_token', 'refresh_token']) if (answer[name]) secrets.add(answer[name])
      return answer
    }
    try {
      const email = 'quiet@example.org'
      const password = 'a password that nobody logs'
      // Both applications have one secret key, so each takes the other's challenges.
      await post('/auth/signup', { email, password, turnstile_token: await other.solve() })
      const session = await post('/auth/signin', { email, password, turnstile_token: await other.solve() })
      const { access_token: token = '', refresh_token = '' } = session
      await post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
      await post('/auth/v1/token?grant_type=refresh_token', { refresh_token: 'one-that-never-was' })
      await post('/auth/signin', {
        email,
        password: 'another wrong password',
        turnstile_token: await other.solve(),
      })
      await post('/auth/signup', { email, password: 'short\0', turnstile_token: 'no challenge at all' })
      await fetch(`${base}/credits/balance?access_token=${token}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      await way.interrupt()
      await post('/auth/v1/token?grant_type=refresh_token', { refresh_token })
      await post('/auth/signin', { email, password, turnstile_token: await other.solve() })
      await post('/auth/v1/logout', {}, token)
    } finally {
      await nest.close()
      await other.close()
      await database.drop()
    }

    expect(secrets.size).toBeGreaterThan(10)
    const log = lines.join('')
    expect(lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThanOrEqual(10)
    expect(lines.filter((line) => line.includes('"msg":"request failed"')).length).toBeGreaterThanOrEqual(3)
    for (const secret of secrets)
      expect(log.includes(JSON.stringify(secret).slice(1, -1)), secret).toBe(false)
  })
})
