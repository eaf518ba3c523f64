import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, environmentSchema, parseConfig } from './config.ts'

const settingNames = Object.keys(environmentSchema.shape)
const root = path.resolve(import.meta.dirname, '../../../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** What a deployment cannot do without. */
const least = {
  SECRET_KEY: 'x'.repeat(32),
  DATABASE_URL: 'postgres://earmark:secret@localhost:5432/earmark',
  TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:9/v1',
  PODCASTINDEX_KEY: 'key',
  PODCASTINDEX_SECRET: 'secret',
}

function complaintAbout(environment: Record<string, string | undefined>): string {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'none'
}

describe('the configuration', () => {
  it('stands with the least that a deployment must set', () => {
    expect(parseConfig(least)).toMatchObject({
      http: { host: '127.0.0.1', port: 4800, publicUrl: 'http://localhost:4800', trustedProxies: 0 },
      outgoing: { allowOrigins: [], feedMaxBytes: 50_000_000 },
      turnstile: undefined,
    })
  })

  it.each([
    ['SECRET_KEY', undefined, 'must be set'],
    ['SECRET_KEY', 'short', 'at least 32'],
    ['DATABASE_URL', undefined, 'must be set'],
    ['DATABASE_URL', '', 'must be set'],
    ['DATABASE_URL', 'mysql://localhost/x', 'Invalid'],
    ['DATABASE_URL', 'localhost:5432', 'Invalid'],
    ['PORT', 'http', 'expected number'],
    ['PORT', '65536', 'Too big'],
    ['PORT', '80.5', 'expected int'],
    ['TRUST_PROXY', '-1', 'Too small'],
    ['TRUST_PROXY', 'true', 'expected number'],
    ['LOG_LEVEL', 'loud', 'expected one of'],
    ['PUBLIC_URL', 'earmark.example.org', 'Invalid'],
    ['PUBLIC_URL', 'ftp://earmark.example.org', 'Invalid'],
    ['DATABASE_POOL_SIZE', '1', 'Too small'],
    ['TEMPORAL_ADDRESS', 'http://temporal:7233', 'host:port'],
    ['TEMPORAL_ADDRESS', 'temporal', 'host:port'],
    ['TRANSCRIPTION_BASE_URL', 'nonsense', 'Invalid'],
    ['TRANSCRIPTION_BASE_URL', undefined, 'OPENAI_API_KEY'],
    ['TRANSCRIPTION_CONCURRENCY', '0', 'Too small'],
    ['TRANSCRIPTION_CHUNK_SECONDS', '5', 'Too small'],
    ['TRANSCRIPTION_TIMEOUT_SECONDS', 'long', 'expected number'],
    ['SUMMARY_BASE_URL', 'ollama', 'Invalid'],
    ['SUMMARY_CONCURRENCY', '0', 'Too small'],
    ['SUMMARY_PART_WORDS', '10', 'Too small'],
    ['STRIPE_API_URL', 'stripe', 'Invalid'],
    ['CHECKOUT_MINUTES', '30', 'Too small'],
    ['SMTP_URL', 'http://mail.example.org', 'Invalid'],
    ['MAIL_FROM', 'x', 'Too small'],
    ['PODCAST_DIRECTORIES', 'spotify', 'expected one of'],
    ['PODCAST_DIRECTORIES', ',', 'Too small'],
    ['PODCASTINDEX_KEY', undefined, 'since PODCASTINDEX_SECRET is'],
    ['PODCASTINDEX_SECRET', undefined, 'since PODCASTINDEX_KEY is'],
    ['PODCASTINDEX_BASE_URL', 'api', 'Invalid'],
    ['ITUNES_BASE_URL', 'file:///etc', 'Invalid'],
    ['FETCH_ALLOW_ORIGINS', 'nonsense', 'must be origins'],
    ['FETCH_ALLOW_ORIGINS', 'http://10.0.0.5:8080/only/this', 'must be origins'],
    ['FETCH_ALLOW_ORIGINS', 'http://10.0.0.5,*', 'must be origins'],
    ['FEED_MAX_MB', '0', 'Too small'],
    ['AUDIO_MAX_MB', 'all', 'expected number'],
    ['AUDIO_TIMEOUT_SECONDS', '0', 'Too small'],
    ['TURNSTILE_SITE_KEY', 'key', 'TURNSTILE_SECRET_KEY must be set too'],
    ['TURNSTILE_SECRET_KEY', 'key', 'TURNSTILE_SITE_KEY must be set too'],
    ['VENDOR_ATTEMPTS', '0', 'Too small'],
    ['VENDOR_RETRY_SECONDS', '-1', 'Too small'],
  ])('refuses %s=%s in a sentence that names it', (name, value, words) => {
    const [first, ...lines] = complaintAbout({ ...least, [name]: value }).split('\n')
    expect(first).toBe('These settings cannot be used:')
    expect(lines.at(-1)).toBe('.env.example names each setting.')
    const about = lines.filter((line) => line.includes(name))
    expect(about).toHaveLength(1)
    expect(about[0]).toContain(words)
    expect(about[0]).toMatch(/^ {2}[A-Z_]+ \S/)
  })

  it('asks for the key of a directory that is named, and for none of the other', () => {
    const { PODCASTINDEX_KEY: _key, PODCASTINDEX_SECRET: _secret, ...without } = least
    expect(complaintAbout(without)).toContain(
      'PODCASTINDEX_KEY must be set, since PODCAST_DIRECTORIES names podcastindex',
    )
    expect(parseConfig({ ...without, PODCAST_DIRECTORIES: 'itunes' }).directories.names).toEqual(['itunes'])
  })

  it('takes the keys of the card provider together, and of one mode', () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk_test_a',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_a',
      STRIPE_WEBHOOK_SECRET: 'whsec_a',
    }
    expect(parseConfig(least).stripe).toBeUndefined()
    expect(parseConfig({ ...least, ...keys }).stripe).toMatchObject({
      secretKey: 'sk_test_a',
      jsUrl: undefined,
    })
    for (const missing of Object.keys(keys)) {
      expect(complaintAbout({ ...least, ...keys, [missing]: '' })).toContain(`${missing} must be set too`)
    }
    const mixed = complaintAbout({ ...least, ...keys, STRIPE_PUBLISHABLE_KEY: 'pk_live_a' })
    expect(mixed).toContain('STRIPE_PUBLISHABLE_KEY must be of the same mode')
    const swapped = { ...least, ...keys, STRIPE_SECRET_KEY: 'pk_test_a', STRIPE_PUBLISHABLE_KEY: 'sk_test_a' }
    expect(complaintAbout(swapped)).toContain('STRIPE_SECRET_KEY must be a secret key')
    expect(complaintAbout(swapped)).toContain('STRIPE_PUBLISHABLE_KEY must be a publishable key')
  })

  it('tells the key of OpenAI to OpenAI alone', () => {
    const { TRANSCRIPTION_BASE_URL: _speech, ...without } = { ...least, OPENAI_API_KEY: 'sk-open' }
    expect(parseConfig(without)).toMatchObject({
      transcription: { baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-open' },
      summaries: { baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-open' },
    })
    const elsewhere = { ...least, OPENAI_API_KEY: 'sk-open', SUMMARY_BASE_URL: 'http://ollama:11434/v1' }
    expect(parseConfig(elsewhere)).toMatchObject({
      transcription: { apiKey: 'none' },
      summaries: { apiKey: 'none' },
    })
    expect(parseConfig({ ...elsewhere, SUMMARY_API_KEY: 'own' })).toMatchObject({
      summaries: { apiKey: 'own' },
    })
  })

  it('names all that is wrong at once', () => {
    const complaint = complaintAbout({ PORT: 'x', LOG_LEVEL: 'loud' })
    for (const name of ['PORT', 'LOG_LEVEL', 'SECRET_KEY', 'DATABASE_URL'])
      expect(complaint).toContain(`  ${name} `)
  })

  it('says no secret in what it complains of', () => {
    const secrets = {
      ...least,
      SECRET_KEY: 'hush',
      DATABASE_URL: 'mysql://earmark:hush@localhost/x',
      TURNSTILE_SECRET_KEY: 'hush',
    }
    expect(complaintAbout(secrets)).not.toContain('hush')
  })

  it('takes an empty setting for one that is not set, and origins with a slash', () => {
    expect(parseConfig({ ...least, LOG_LEVEL: '', TURNSTILE_SITE_KEY: '' })).toEqual(parseConfig(least))
    const { outgoing } = parseConfig({
      ...least,
      FETCH_ALLOW_ORIGINS: 'http://10.0.0.5:8080/, https://Media.example.org',
    })
    expect(outgoing.allowOrigins).toEqual(['http://10.0.0.5:8080/', 'https://Media.example.org'])
  })
})

describe('.env.example', () => {
  const settings = [...read('.env.example').matchAll(/^# ([A-Z][A-Z_]+)=(.*)$/gm)].map(
    ([, name = '', value = '']) => ({ name, value }),
  )
  /** The names that a schema in this source declares. */
  const declaredIn = (file: string) =>
    [...read(file).matchAll(/^ +([A-Z][A-Z_]+): (?:z\.|count\()/gm)].map(([, name = '']) => name)
  const composeNames = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name)

  it('names every setting, each once', () => {
    const launcher = declaredIn('launcher/src/settings.ts')
    const speech = declaredIn('speech/src/config.ts')
    const sandbox = declaredIn('sandbox/src/main.ts')
    expect(settingNames.length).toBeGreaterThan(30)
    for (const found of [launcher, speech, sandbox, composeNames]) expect(found.length).toBeGreaterThan(1)

    const wanted = new Set([...settingNames, ...launcher, ...speech, ...sandbox, ...composeNames])
    const named = settings.map(({ name }) => name)
    expect([...wanted].filter((name) => !named.includes(name))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
    // The programs that are looked for read these themselves.
    const besides = new Set(['EARMARK_DATA', 'EARMARK_CACHE', 'TEMPORAL_CLI', 'CHROMIUM_PATH'])
    expect(named.filter((name) => !wanted.has(name) && !besides.has(name))).toEqual([])
  })

  it('gives the defaults as they are', () => {
    const written = Object.fromEntries(
      settings.filter(({ name }) => settingNames.includes(name)).map(({ name, value }) => [name, value]),
    )
    expect(parseConfig({ ...written, ...least })).toEqual(parseConfig(least))
    for (const [name, schema] of Object.entries(environmentSchema.shape)) {
      const { success, data } = schema.safeParse(undefined)
      const hasDefault = success && data !== undefined && !(Array.isArray(data) && data.length === 0)
      expect(written[name] !== '', `${name}=${written[name]}`).toBe(hasDefault)
    }
  })
})
