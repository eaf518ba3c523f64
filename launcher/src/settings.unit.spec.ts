import { describe, expect, it } from 'vitest'
import {
  backendEnvironment,
  needsSandbox,
  readSettings,
  refuseOpenSandbox,
  type RunningParts,
} from './settings.ts'

const parts: RunningParts = {
  port: 4801,
  publicUrl: 'http://localhost:4801',
  dataFolder: '/data',
  frontendFolder: '/dist',
  secretKey: 'secret',
  databaseUrl: 'postgres://ours',
  temporalAddress: '127.0.0.1:7000',
  temporalUiUrl: 'http://127.0.0.1:7001',
  sandbox: { origin: 'http://127.0.0.1:9000', smtpUrl: 'smtp://127.0.0.1:9025', webhookSecret: 'whsec_ours' },
  transcription: { baseUrl: 'http://127.0.0.1:9100/v1', model: 'base', concurrency: 1 },
}

const environmentFor = (env: NodeJS.ProcessEnv, more: Partial<RunningParts> = {}) =>
  backendEnvironment(env, readSettings(env), { ...parts, ...more })

describe('the backend’s settings', () => {
  it('point at this machine’s own parts where the user has set nothing', () => {
    expect(environmentFor({})).toEqual({
      HOST: '127.0.0.1',
      PORT: '4801',
      PUBLIC_URL: 'http://localhost:4801',
      DATABASE_URL: 'postgres://ours',
      TEMPORAL_ADDRESS: '127.0.0.1:7000',
      TEMPORAL_UI_URL: 'http://127.0.0.1:7001',
      DATA_DIR: '/data/files',
      FRONTEND_DIST: '/dist',
      SECRET_KEY: 'secret',
      PODCASTINDEX_BASE_URL: 'http://127.0.0.1:9000/podcastindex/api/1.0',
      PODCASTINDEX_KEY: 'sandbox',
      PODCASTINDEX_SECRET: 'sandbox',
      TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:9100/v1',
      TRANSCRIPTION_API_KEY: 'local',
      TRANSCRIPTION_MODEL: 'base',
      TRANSCRIPTION_CONCURRENCY: '1',
      SUMMARY_BASE_URL: 'http://127.0.0.1:9000/openai/v1',
      SUMMARY_API_KEY: 'sandbox',
      SUMMARY_MODEL: 'sandbox-extractive',
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_ours',
      STRIPE_API_URL: 'http://127.0.0.1:9000',
      STRIPE_JS_URL: 'http://127.0.0.1:9000/stripe/js',
      SMTP_URL: 'smtp://127.0.0.1:9025',
      FETCH_ALLOW_ORIGINS: 'http://127.0.0.1:9000',
    })
  })

  it('keep a vendor that the user has set up', () => {
    const env = {
      PODCASTINDEX_KEY: 'k',
      PODCASTINDEX_SECRET: 's',
      OPENAI_API_KEY: 'sk',
      STRIPE_SECRET_KEY: 'sk_test_own',
      SMTP_URL: 'smtp://mail.example.org',
    }
    expect(needsSandbox(readSettings(env))).toBe(false)
    const result = environmentFor(env, { sandbox: undefined, transcription: undefined })
    expect(result).toMatchObject(env)
    for (const name of [
      'PODCASTINDEX_BASE_URL',
      'TRANSCRIPTION_BASE_URL',
      'SUMMARY_BASE_URL',
      'STRIPE_API_URL',
      'STRIPE_JS_URL',
      'FETCH_ALLOW_ORIGINS',
    ])
      expect(result).not.toHaveProperty(name)
  })

  it('point at the sandbox for one vendor and at the user’s own for the others', () => {
    const result = environmentFor({ STRIPE_SECRET_KEY: 'sk_test_own', SMTP_URL: 'smtp://mail.example.org' })
    expect(result).toMatchObject({
      STRIPE_SECRET_KEY: 'sk_test_own',
      SMTP_URL: 'smtp://mail.example.org',
      SUMMARY_MODEL: 'sandbox-extractive',
    })
    expect(result).not.toHaveProperty('STRIPE_API_URL')
  })

  it('let the model of this machine win over a name that is meant for another vendor', () => {
    expect(environmentFor({ TRANSCRIPTION_MODEL: 'gpt-4o-transcribe' }).TRANSCRIPTION_MODEL).toBe('base')
  })

  it('add the sandbox to the origins that the user allows', () => {
    expect(environmentFor({ FETCH_ALLOW_ORIGINS: 'http://nas.local' }).FETCH_ALLOW_ORIGINS).toBe(
      'http://nas.local,http://127.0.0.1:9000',
    )
  })
})

describe('readSettings', () => {
  it('asks for the sandbox’s shows only where Podcast Index is wanted and has no key', () => {
    expect(readSettings({}).sandbox.directory).toBe(true)
    expect(readSettings({ PODCASTINDEX_KEY: 'k' }).sandbox.directory).toBe(false)
    expect(readSettings({ PODCAST_DIRECTORIES: 'itunes' }).sandbox.directory).toBe(false)
  })

  it('leaves recognition to the vendor that the user names', () => {
    expect(readSettings({}).hasOwnTranscription).toBe(false)
    expect(readSettings({ OPENAI_API_KEY: 'sk' }).hasOwnTranscription).toBe(true)
    expect(readSettings({ TRANSCRIPTION_BASE_URL: 'http://gpu/v1' }).hasOwnTranscription).toBe(true)
  })

  it('takes an empty setting for one that is not set', () => {
    expect(readSettings({ PORT: '', OPENAI_API_KEY: '' })).toMatchObject({ hasOwnTranscription: false })
  })

  it('names a setting that cannot be used', () => {
    expect(() => readSettings({ PORT: '99999' })).toThrow(/PORT/)
  })
})

describe('refuseOpenSandbox', () => {
  it('refuses to let strangers reach a product with pretended vendors', () => {
    expect(() => refuseOpenSandbox(readSettings({ HOST: '0.0.0.0' }))).toThrow(/ALLOW_SANDBOX=1/)
    expect(() => refuseOpenSandbox(readSettings({ HOST: '0.0.0.0', ALLOW_SANDBOX: '1' }))).not.toThrow()
    expect(() => refuseOpenSandbox(readSettings({}))).not.toThrow()
  })
})
