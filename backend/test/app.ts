import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { CommandBus } from '@nestjs/cqrs'
import pg from 'pg'
import { inject } from 'vitest'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { AppModule } from '../src/app.module.ts'
import { microcredits } from '../src/credits/domain/amounts.ts'
import { GrantCredits } from '../src/credits/grant-credits/grant-credits.handler.ts'
import { EventStore } from '../src/platform/event-store/event-store.ts'
import { type Config, parseConfig } from '../src/platform/config/config.ts'
import { createHttpApp } from '../src/platform/http/create-http-app.ts'
import { createLogger } from '../src/platform/logging/logger.ts'
import { migrate, migrationsFolder } from '../src/platform/postgres/migrate.ts'
import { createPool, POOL } from '../src/platform/postgres/postgres.module.ts'
import { expectHistoryHolds, expectLedgerHolds } from './ledger-holds.ts'

const logger = createLogger(process.env.TEST_LOG_LEVEL ?? 'silent', 'test')

/** A database of this file's own, brought up to date. */
export async function createDatabase(
  migrations = migrationsFolder,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const pool = createPool(testConfig({ DATABASE_URL: url.href }), logger)
  await migrate(pool, migrations, logger)
  await pool.end()
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) }
}

/** A configuration as a deployment would have it; `environment` says what differs. */
export function testConfig(environment: Record<string, string>): Config {
  return parseConfig({
    SECRET_KEY: 'a secret for tests, longer than thirty-two characters',
    DATABASE_POOL_SIZE: '10',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:9/v1',
    PODCASTINDEX_KEY: 'sandbox',
    PODCASTINDEX_SECRET: 'sandbox',
    VENDOR_ATTEMPTS: '3',
    VENDOR_RETRY_SECONDS: '0.1',
    ...environment,
  })
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

/** The whole HTTP application on a port of its own, with a database of its own. */
export async function startApp(environment: Record<string, string> = {}) {
  const database = await createDatabase()
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'earmark-files-'))
  const config = testConfig({ DATABASE_URL: database.url, DATA_DIR: dataFolder, ...environment })
  const app = await createHttpApp(AppModule.of(config, logger), config, logger)
  await app.listen(0, '127.0.0.1')
  const base = `${await app.getUrl()}/v1`

  const call = async (
    method: string,
    route: string,
    options: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(base + route, {
      method,
      headers: {
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
        ...options.headers,
      },
      ...(options.body !== undefined && {
        body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
      }),
    })
    const text = await response.text()
    // The shape is what each test is about.
    const body = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
    return { status: response.status, body, headers: response.headers }
  }

  /** A solved bot challenge, as a browser would send it. */
  const solve = async (): Promise<string> => {
    const { body: challenge } = await call('GET', '/auth/challenge')
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }

  /** A signed-in account with a balance in credits. */
  const signUp = async (credits = 0) => {
    const email = `${randomUUID()}@example.org`
    const password = 'correct horse'
    await call('POST', '/auth/signup', { body: { email, password, turnstile_token: await solve() } })
    const { body: session } = await call('POST', '/auth/signin', {
      body: { email, password, turnstile_token: await solve() },
    })
    const token = session.access_token as string
    const { body: user } = await call('GET', '/auth/v1/user', { token })
    if (credits > 0) {
      await app.get(CommandBus).execute(
        new GrantCredits(user.id, {
          operationId: randomUUID(),
          operationType: 'grant',
          amountMicrocredits: microcredits(credits * 1_000_000),
          note: { description: 'for a test' },
        }),
      )
    }
    return { id: user.id as string, email, password, token, refreshToken: session.refresh_token as string }
  }

  return {
    app,
    base,
    config,
    call,
    solve,
    signUp,
    async close() {
      await expectLedgerHolds(app.get(EventStore))
      await expectHistoryHolds(app.get(EventStore), app.get(POOL))
      await app.close()
      await database.drop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
