import { createHmac, createSecretKey, randomUUID } from 'node:crypto'
import { AuthClient } from '@supabase/auth-js'
import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, SignJWT, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test/app.ts'
import { POOL, type Pool } from '../platform/postgres/postgres.module.ts'

describe('identity', () => {
  let app: TestApp
  let pool: Pool

  beforeAll(async () => {
    app = await startApp()
    pool = app.app.get<Pool>(POOL)
  })
  afterAll(() => app.close())

  /** A proof that costs next to nothing: its challenge is signed with `secretKey`, as our own are. */
  const proof = async (
    secretKey = app.config.secretKey,
    expiresAt = Math.floor(Date.now() / 1000) + 600,
  ): Promise<string> => {
    const secret = (purpose: string) => createHmac('sha256', secretKey).update(purpose).digest('hex')
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 1,
      counter: 1,
      deriveKey,
      expiresAt,
      hmacSignatureSecret: secret('altcha-challenge'),
      hmacKeySignatureSecret: secret('altcha-key'),
    })
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }
  const signUp = async (email: string, password: string, token?: string) =>
    app.call('POST', '/auth/signup', { body: { email, password, turnstile_token: token ?? (await proof()) } })
  const signIn = async (email: string, password: string) =>
    app.call('POST', '/auth/signin', { body: { email, password, turnstile_token: await proof() } })
  const refresh = (refreshToken: string, headers: Record<string, string> = {}) =>
    app.call('POST', '/auth/v1/token?grant_type=refresh_token', {
      body: { refresh_token: refreshToken },
      headers,
    })
  const someone = async () => {
    const email = `${randomUUID()}@example.org`
    await signUp(email, 'correct horse')
    const { body } = await signIn(email, 'correct horse')
    return {
      email,
      accessToken: body.access_token as string,
      refreshToken: body.refresh_token as string,
    }
  }
  const isAliveOnApi = async (token: string) =>
    (await app.call('GET', '/credits/balance', { token })).status === 200
  const client = () =>
    new AuthClient({ url: `${app.base}/auth/v1`, autoRefreshToken: false, storageKey: randomUUID() })

  describe('as the unmodified client of the protocol sees it', () => {
    it('keeps, refreshes and ends a session that the front door opened', async () => {
      const { email, accessToken, refreshToken } = await someone()
      const auth = client()
      const events: string[] = []
      auth.onAuthStateChange((event) => void events.push(event))

      const set = await auth.setSession({ access_token: accessToken, refresh_token: refreshToken })
      expect(set.error).toBeNull()
      expect(set.data.user).toMatchObject({ email, aud: 'authenticated', role: 'authenticated' })

      const { data } = await auth.getUser()
      expect(data.user?.identities).toHaveLength(1)

      const refreshed = await auth.refreshSession()
      expect(refreshed.error).toBeNull()
      expect(refreshed.data.session?.refresh_token).not.toBe(refreshToken)
      expect(refreshed.data.session?.user.email).toBe(email)

      expect((await auth.signOut()).error).toBeNull()
      expect(await isAliveOnApi(refreshed.data.session?.access_token ?? '')).toBe(false)
      expect(events).toEqual(expect.arrayContaining(['SIGNED_IN', 'TOKEN_REFRESHED', 'SIGNED_OUT']))
    })

    it.each([
      { scope: 'local', mineLives: false, otherLives: true },
      { scope: 'others', mineLives: true, otherLives: false },
      { scope: 'global', mineLives: false, otherLives: false },
    ] as const)(
      'ends the right sessions on sign-out of scope $scope',
      async ({ scope, mineLives, otherLives }) => {
        const mine = await someone()
        const { body: other } = await signIn(mine.email, 'correct horse')
        const stranger = await someone()
        const auth = client()
        await auth.setSession({ access_token: mine.accessToken, refresh_token: mine.refreshToken })

        expect((await auth.signOut({ scope })).error).toBeNull()
        expect(await isAliveOnApi(mine.accessToken)).toBe(mineLives)
        expect(await isAliveOnApi(other.access_token)).toBe(otherLives)
        expect((await refresh(mine.refreshToken)).status).toBe(mineLives ? 200 : 400)
        expect((await refresh(other.refresh_token)).status).toBe(otherLives ? 200 : 400)
        expect(await isAliveOnApi(stranger.accessToken)).toBe(true)
      },
    )

    it('says in its own codes why a session is over', async () => {
      const { accessToken, refreshToken } = await someone()
      const auth = client()
      await auth.setSession({ access_token: accessToken, refresh_token: refreshToken })
      await pool.query(
        'delete from sessions where id = (select session_id from refresh_tokens where token_hash = sha256($1))',
        [refreshToken],
      )
      expect((await auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
      expect((await client().getUser(accessToken)).error?.name).toBe('AuthSessionMissingError')
    })
  })

  describe('refresh tokens', () => {
    it('gives 20 parallel refreshes of one token the same one successor', async () => {
      const { refreshToken } = await someone()
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))

      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const [successor, ...others] = new Set(answers.map(({ body }) => body.refresh_token as string))
      expect(others).toEqual([])
      const { rows } = await pool.query(
        'select child.id from refresh_tokens child join refresh_tokens parent on parent.id = child.parent_id where parent.token_hash = sha256($1)',
        [refreshToken],
      )
      expect(rows).toHaveLength(1)
      for (const { body } of answers) expect(await isAliveOnApi(body.access_token)).toBe(true)
      expect((await refresh(successor ?? '')).status).toBe(200)
    })

    it('leads a tab that is late, but within the interval, to the current token', async () => {
      const { refreshToken } = await someone()
      const second = (await refresh(refreshToken)).body.refresh_token as string
      const third = (await refresh(second)).body.refresh_token as string
      expect((await refresh(refreshToken)).body.refresh_token).toBe(third)
    })

    it('ends the session when an old token comes back after the interval', async () => {
      const { refreshToken } = await someone()
      const { body: current } = await refresh(refreshToken)
      await pool.query(
        "update refresh_tokens set rotated_at = now() - interval '1 hour' where token_hash = sha256($1)",
        [refreshToken],
      )

      const stolen = await refresh(refreshToken)
      expect(stolen).toMatchObject({ status: 400, body: { error_code: 'refresh_token_already_used' } })
      expect(await refresh(current.refresh_token)).toMatchObject({
        status: 400,
        body: { error_code: 'refresh_token_not_found' },
      })
      expect(await app.call('GET', '/credits/balance', { token: current.access_token })).toMatchObject({
        status: 401,
        body: { code: 'not_authenticated' },
      })
      expect(await app.call('GET', '/auth/v1/user', { token: current.access_token })).toMatchObject({
        status: 403,
        body: { error_code: 'session_not_found' },
      })
    })

    it('are kept only as hashes', async () => {
      const { refreshToken } = await someone()
      const { rows } = await pool.query<{ line: string }>(
        'select refresh_tokens::text as line from refresh_tokens',
      )
      expect(rows.length).toBeGreaterThan(0)
      const plain = Buffer.from(refreshToken).toString('hex')
      expect(rows.filter(({ line }) => line.includes(refreshToken) || line.includes(plain))).toEqual([])
    })
  })

  it('shapes its errors by the version of the protocol that the client asks for', async () => {
    const today = await refresh('no such token at all', { 'x-supabase-api-version': '2024-01-01' })
    expect(today.body).toEqual({
      code: 'refresh_token_not_found',
      message: 'Invalid Refresh Token: Refresh Token Not Found',
    })
    expect(today.headers.get('x-supabase-api-version')).toBe('2024-01-01')

    for (const headers of [
      {},
      { 'x-supabase-api-version': '2023-01-01' },
      { 'x-supabase-api-version': 'new' },
    ]) {
      const before = await refresh('no such token at all', headers)
      expect(before.body).toEqual({
        code: 400,
        error_code: 'refresh_token_not_found',
        msg: 'Invalid Refresh Token: Refresh Token Not Found',
      })
      expect(before.headers.get('x-supabase-api-version')).toBeNull()
      expect(before.headers.get('x-sb-error-code')).toBe('refresh_token_not_found')
    }
    expect(await app.call('GET', '/auth/v1/user')).toMatchObject({
      status: 401,
      body: { error_code: 'no_authorization' },
    })
    for (const body of [
      {},
      { refresh_token: 7 },
      { refresh_token: '' },
      [],
      { refresh_token: 'x\u0000'.repeat(9) },
    ]) {
      const { status } = await app.call('POST', '/auth/v1/token?grant_type=refresh_token', { body })
      expect(status).toBe(400)
    }
    const { accessToken } = await someone()
    expect(await app.call('POST', '/auth/v1/logout?scope=everything', { token: accessToken })).toMatchObject({
      status: 400,
      body: { error_code: 'validation_failed' },
    })
  })

  describe('access tokens', () => {
    it('are refused when they are not ours, not for us or not alive', async () => {
      const { accessToken, email } = await someone()
      const { rows } = await pool.query<{ private_jwk: JWK; kid: string }>('select * from signing_keys')
      const [key] = rows
      if (!key) throw new Error('there is no signing key')
      const ours = await importJWK(key.private_jwk, 'ES256')
      const { keys } = (await app.call('GET', '/auth/v1/.well-known/jwks.json')).body as { keys: JWK[] }
      expect(keys).toHaveLength(1)
      expect(keys[0]).not.toHaveProperty('d')
      const publicKey = await importJWK(keys[0] as JWK, 'ES256', { extractable: true })

      const claims = decode(accessToken.split('.')[1]) as JWTPayload
      expect(claims).toMatchObject({ email, aud: 'authenticated', role: 'authenticated' })
      const sign = (
        change: Partial<JWTPayload>,
        header: object = {},
        by: Parameters<SignJWT['sign']>[0] = ours,
      ) =>
        new SignJWT({ ...claims, ...change })
          .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'JWT', ...header })
          .sign(by)
      const { privateKey: foreign } = await generateKeyPair('ES256', { extractable: true })
      const now = Math.floor(Date.now() / 1000)
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
      const publicAsSecret = (text: string) => createSecretKey(Buffer.from(text))

      const forged: Record<string, string> = {
        'alg none': `${encode({ alg: 'none', kid: key.kid, typ: 'JWT' })}.${encode(claims)}.`,
        'alg NONE with the old signature': `${encode({ alg: 'NONE', kid: key.kid })}.${accessToken.split('.').slice(1).join('.')}`,
        'HS256 with the public key as PEM': await sign(
          {},
          { alg: 'HS256' },
          publicAsSecret(await exportSPKI(publicKey as Parameters<typeof exportSPKI>[0])),
        ),
        'HS256 with the public key as JSON': await sign(
          {},
          { alg: 'HS256' },
          publicAsSecret(JSON.stringify(keys[0])),
        ),
        'a foreign key under our kid': await sign({}, {}, foreign),
        'a foreign key under its own kid': await sign({}, { kid: 'foreign' }, foreign),
        'a foreign key that comes along': await sign({}, { jwk: await exportJWK(foreign) }, foreign),
        'our key under a foreign kid': await sign({}, { kid: 'foreign' }),
        'another audience': await sign({ aud: 'somebody-else' }),
        'another issuer': await sign({ iss: 'https://example.org/v1/auth/v1' }),
        'a lifetime that is over': await sign({ exp: now - 1 }),
        'a session of somebody else': await sign({ sub: randomUUID() }),
        'a session that never was': await sign({ session_id: randomUUID() }),
        'no session': await sign({ session_id: '' }),
        'changed claims': accessToken.replace(/\.[^.]+\./, `.${encode({ ...claims, sub: randomUUID() })}.`),
        'no token': 'nonsense',
      }
      for (const [title, token] of Object.entries(forged)) {
        expect(await app.call('GET', '/credits/balance', { token }), title).toMatchObject({
          status: 401,
          body: { code: 'not_authenticated' },
        })
        const sessionIsGone = /session of somebody|never was/.test(title)
        expect(await app.call('GET', '/auth/v1/user', { token }), title).toMatchObject({
          status: 403,
          body: { error_code: sessionIsGone ? 'session_not_found' : 'bad_jwt' },
        })
      }
      // What was forged differs from this one in nothing else.
      expect(await isAliveOnApi(await sign({}))).toBe(true)
    })
  })

  describe('signing up', () => {
    it('gives a known address the same answer, and leaves its password as it was', async () => {
      const email = `${randomUUID()}@example.org`
      const answers = [await signUp(email, 'the first one'), await signUp(email.toUpperCase(), 'another one')]
      const [first, second] = answers.map(({ status, body, headers }) => ({
        status,
        body,
        headers: [...headers.keys()].sort(),
      }))
      expect(first?.status).toBe(200)
      expect(second).toEqual(first)
      expect((await signIn(email, 'the first one')).status).toBe(200)
      expect((await signIn(email, 'another one')).status).toBe(401)
      const { rows } = await pool.query('select id from users where lower(email) = $1', [email])
      expect(rows).toHaveLength(1)
    })

    it('makes one account of 10 sign-ups at once', async () => {
      const email = `${randomUUID()}@example.org`
      const tokens = await Promise.all(Array.from({ length: 10 }, () => proof()))
      const answers = await Promise.all(tokens.map((token) => signUp(email, 'the same one', token)))
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
      const { rows } = await pool.query('select id from users where email = $1', [email])
      expect(rows).toHaveLength(1)
    })

    it('stores a password as argon2id of at least 19 MiB and two passes', async () => {
      const { email } = await someone()
      const { rows } = await pool.query<{ password_hash: string }>(
        'select password_hash from users where email = $1',
        [email],
      )
      const [, memory, passes] =
        /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(rows[0]?.password_hash ?? '') ?? []
      expect(Number(memory)).toBeGreaterThanOrEqual(19 * 1024)
      expect(Number(passes)).toBeGreaterThanOrEqual(2)
    })
  })

  describe('signing in', () => {
    it('compares the address without regard to case and the password with it', async () => {
      const { email } = await someone()
      expect((await signIn(email.toUpperCase(), 'correct horse')).status).toBe(200)
      expect((await signIn(email, 'Correct horse')).status).toBe(401)
    })

    it('refuses an unknown address in the same words as a wrong password', async () => {
      const { email } = await someone()
      const [wrong, unknown] = [
        await signIn(email, 'wrong one'),
        await signIn(`${randomUUID()}@example.org`, 'wrong one'),
      ]
      expect(wrong).toMatchObject({
        status: 401,
        body: { detail: 'Invalid credentials', code: 'invalid_credentials' },
      })
      expect(unknown).toMatchObject({ status: wrong.status, body: wrong.body })
    })
  })

  describe('the bot challenge', () => {
    it('that the server gives out is accepted when it is solved', async () => {
      expect((await signUp(`${randomUUID()}@example.org`, 'correct horse', await app.solve())).status).toBe(
        200,
      )
    })

    it('counts once, also when 20 come at the same time', async () => {
      const token = await proof()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => signUp(`${randomUUID()}@example.org`, 'correct horse', token)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.code === 'invalid_challenge')).toHaveLength(19)
      expect((await signUp(`${randomUUID()}@example.org`, 'correct horse', token)).status).toBe(400)
    })

    it('counts once, however its proof is written', async () => {
      const token = await proof()
      const email = () => `${randomUUID()}@example.org`
      expect((await signUp(email(), 'correct horse', token)).status).toBe(200)
      const { challenge, solution } = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
      const { expiresAt, ...parameters } = challenge.parameters
      const signature = String(challenge.signature)
      const written = [
        { solution, challenge },
        { challenge: { ...challenge, parameters: { expiresAt, ...parameters } }, solution },
        { challenge: { ...challenge, signature: signature.toUpperCase() }, solution },
        { challenge: { ...challenge, signature: ` ${signature}` }, solution },
        { challenge, solution: { ...solution, counter: Number(solution.counter) + 1 } },
      ]
      for (const payload of written) {
        const again = Buffer.from(JSON.stringify(payload, null, 1)).toString('base64url')
        expect((await signUp(email(), 'correct horse', again)).body.code).toBe('invalid_challenge')
      }
    })

    it('is refused when it is expired, signed by another, altered or missing', async () => {
      const now = Math.floor(Date.now() / 1000)
      const { challenge, solution } = JSON.parse(Buffer.from(await proof(), 'base64').toString('utf8'))
      const pack = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')
      const tokens = {
        expired: await proof(app.config.secretKey, now - 1),
        'signed by another': await proof('another secret, which is long enough as well'),
        'made to live longer': pack({
          challenge: { ...challenge, parameters: { ...challenge.parameters, expiresAt: now + 86_400 } },
          solution,
        }),
        'solved wrongly': pack({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
        'without a solution': pack({ challenge }),
        'of nothing': pack(null),
        'no token': 'nonsense',
      }
      for (const [title, token] of Object.entries(tokens)) {
        const { status, body } = await signUp(`${randomUUID()}@example.org`, 'correct horse', token)
        expect({ title, status, code: body.code }).toEqual({ title, status: 400, code: 'invalid_challenge' })
      }
    })
  })
})

function decode(part: string | undefined): unknown {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))
}
