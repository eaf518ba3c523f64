import { startSandbox } from '@earmark/sandbox/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, testConfig } from '../../test/app.ts'
import { checks } from './checks.ts'

describe('the check of the settings', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  let database: Awaited<ReturnType<typeof createDatabase>>
  let good: Record<string, string>

  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0 })
    database = await createDatabase()
    good = {
      DATABASE_URL: database.url,
      TRANSCRIPTION_BASE_URL: `${sandbox.url}/openai/v1`,
      TRANSCRIPTION_API_KEY: 'sandbox',
      TRANSCRIPTION_MODEL: 'sandbox-extractive',
      SUMMARY_BASE_URL: `${sandbox.url}/openai/v1`,
      SUMMARY_MODEL: 'sandbox-extractive',
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      STRIPE_API_URL: sandbox.url,
      SMTP_URL: sandbox.smtpUrl,
      MAIL_FROM: 'Earmark <receipts@example.org>',
      PODCASTINDEX_BASE_URL: `${sandbox.url}/podcastindex/api/1.0`,
      ITUNES_BASE_URL: `${sandbox.url}/itunes`,
    }
  })

  afterEach(() => fetch(`${sandbox.url}/control/faults`, { method: 'DELETE' }))

  afterAll(async () => {
    await database.drop()
    await sandbox.close()
  })

  const ask = (name: keyof typeof checks, changes: Record<string, string> = {}) =>
    checks[name](testConfig({ ...good, ...changes }))

  it.each([
    ['database', /^PostgreSQL \d+/],
    ['workflows', /^Temporal at 127/],
    ['speech to text', /^sandbox-extractive at http/],
    ['summaries', /answers by a schema$/],
    ['mail', /takes mail from/],
    ['podcast index', /^Podcast Index at http/],
    ['itunes', /^iTunes Search at http/],
  ] as const)('finds nothing wrong with a %s that works', async (name, words) => {
    expect(await ask(name)).toEqual({ verdict: 'ok', words: expect.stringMatching(words) })
  })

  it('says that no webhook endpoint leads here, and how to make one', async () => {
    expect(await ask('cards')).toEqual({
      verdict: 'warning',
      words: expect.stringMatching(/^Stripe, test mode: no money moves\. .*stripe listen --forward-to http/),
    })
  })

  it('finds nothing wrong with cards whose messages come here', async () => {
    await fetch(`${sandbox.url}/control/stripe`, {
      method: 'PUT',
      body: JSON.stringify({ webhookUrl: 'http://localhost:4800/v1/payments/webhook' }),
    })
    expect(await ask('cards')).toEqual({ verdict: 'ok', words: 'Stripe, test mode: no money moves' })
  })

  it.each([
    [
      'database',
      { DATABASE_URL: 'postgres://127.0.0.1:9/none' },
      /DATABASE_URL cannot be used: .*ECONNREFUSED/,
    ],
    ['workflows', { TEMPORAL_ADDRESS: '127.0.0.1:9' }, /^Temporal cannot be reached at 127.0.0.1:9/],
    ['workflows', { TEMPORAL_NAMESPACE: 'nowhere' }, /has no namespace nowhere/],
    ['speech to text', { TRANSCRIPTION_MODEL: 'huge' }, /has no model huge \(TRANSCRIPTION_MODEL\)/],
    ['speech to text', { TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:9/v1' }, /cannot be reached/],
    [
      'summaries',
      { SUMMARY_MODEL: 'huge' },
      /has no model huge \(SUMMARY_MODEL\)\. It has: sandbox-extractive/,
    ],
    ['cards', { STRIPE_API_URL: 'http://127.0.0.1:9' }, /^Stripe cannot be reached at http:\/\/127.0.0.1:9/],
    ['mail', { SMTP_URL: 'smtp://127.0.0.1:9' }, /^SMTP_URL cannot be used: .*ECONNREFUSED/],
    ['podcast index', { PODCASTINDEX_KEY: 'bad' }, /answered 401.*PODCASTINDEX_SECRET/],
  ] as const)('says in words what is wrong with the %s: %o', async (name, changes, words) => {
    expect(await ask(name, changes)).toEqual({ verdict: 'wrong', words: expect.stringMatching(words) })
  })

  it('says that a model does not answer by a schema', async () => {
    await fetch(`${sandbox.url}/control/faults`, {
      method: 'PUT',
      body: JSON.stringify({ language: { kind: 'invalidAnswer' } }),
    })
    expect(await ask('summaries')).toEqual({
      verdict: 'wrong',
      words: expect.stringMatching(/does not answer by a JSON schema/),
    })
  })

  it('says what is not set, and what that means', async () => {
    const none = {
      STRIPE_SECRET_KEY: '',
      STRIPE_PUBLISHABLE_KEY: '',
      STRIPE_WEBHOOK_SECRET: '',
      SMTP_URL: '',
    }
    expect(await ask('cards', none)).toMatchObject({
      verdict: 'unset',
      words: expect.stringMatching(/nothing can be bought/),
    })
    expect(await ask('mail', none)).toMatchObject({ verdict: 'unset' })
  })
})
