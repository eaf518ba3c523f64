import * as z from 'zod'

const origin = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''))
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

/** Scheme, host and port: a path would promise a narrower opening than there is. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && text.replace(/\/$/, '').toLowerCase() === url.origin
  )
}

/** Every setting of the backend, by its name. */
export const environmentSchema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(0).max(65535).default(4800),
    PUBLIC_URL: origin.optional(),
    TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    FRONTEND_DIST: z.string().optional(),
    DATA_DIR: z.string().default('.earmark/files'),
    SECRET_KEY: z.string().min(32, 'must have at least 32 characters'),

    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(16),

    EVENTSTORE_URL: z
      .url({ protocol: /^esdb(\+discover)?$/, error: 'must be a connection string: esdb://host:2113' })
      .optional(),
    LEDGER_MAILBOX_SIZE: z.coerce.number().int().min(1).max(100_000).default(1000),
    LEDGER_CACHED_ACCOUNTS: z.coerce.number().int().min(1).max(10_000_000).default(100_000),

    TEMPORAL_ADDRESS: z
      .string()
      .regex(/^[^\s/:]+:\d+$/, 'must be host:port')
      .default('127.0.0.1:7233'),
    TEMPORAL_NAMESPACE: z.string().default('default'),

    TRANSCRIPTION_BASE_URL: origin.optional(),
    TRANSCRIPTION_API_KEY: z.string().min(1).optional(),
    OPENAI_API_KEY: z.string().min(1).optional(),
    TRANSCRIPTION_MODEL: z.string().default('whisper-1'),
    TRANSCRIPTION_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
    TRANSCRIPTION_CHUNK_SECONDS: z.coerce.number().int().min(60).max(1200).default(300),
    TRANSCRIPTION_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3600).default(900),

    SUMMARY_BASE_URL: origin.optional(),
    SUMMARY_API_KEY: z.string().min(1).optional(),
    SUMMARY_MODEL: z.string().default('gpt-4o-mini'),
    SUMMARY_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
    SUMMARY_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3600).default(180),
    SUMMARY_PART_WORDS: z.coerce.number().int().min(200).max(200_000).default(12_000),

    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key: sk_test_... or sk_live_...')
      .optional(),
    STRIPE_PUBLISHABLE_KEY: z
      .string()
      .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key: pk_test_... or pk_live_...')
      .optional(),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_\S+$/, "must be a webhook's signing secret: whsec_...")
      .optional(),
    STRIPE_API_URL: origin.default('https://api.stripe.com'),
    STRIPE_JS_URL: origin.optional(),
    // Stripe takes half an hour at the least, counted from when it is asked.
    CHECKOUT_MINUTES: z.coerce.number().int().min(35).max(1440).default(60),

    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: z.string().min(3).default('Earmark <receipts@localhost>'),

    PODCAST_DIRECTORIES: list
      .pipe(z.array(z.enum(['podcastindex', 'itunes'])).min(1))
      .default(['podcastindex', 'itunes']),
    PODCASTINDEX_BASE_URL: origin.default('https://api.podcastindex.org/api/1.0'),
    PODCASTINDEX_KEY: z.string().min(1).optional(),
    PODCASTINDEX_SECRET: z.string().min(1).optional(),
    ITUNES_BASE_URL: origin.default('https://itunes.apple.com'),

    FETCH_ALLOW_ORIGINS: list
      .pipe(
        z.array(
          z.string().refine(isOrigin, 'must be origins, such as http://10.0.0.5:8080, separated by commas'),
        ),
      )
      .default([]),
    FEED_MAX_MB: z.coerce.number().min(1).max(500).default(50),
    AUDIO_MAX_MB: z.coerce.number().min(1).max(10_000).default(1024),
    AUDIO_TIMEOUT_SECONDS: z.coerce.number().min(1).max(86_400).default(1800),

    TURNSTILE_SITE_KEY: z.string().min(1).optional(),
    TURNSTILE_SECRET_KEY: z.string().min(1).optional(),

    VENDOR_ATTEMPTS: z.coerce.number().int().min(1).max(100).default(5),
    VENDOR_RETRY_SECONDS: z.coerce.number().min(0.05).max(600).default(2),
  })
  .superRefine((env, context) => {
    const together = (a: keyof typeof env, b: keyof typeof env) => {
      if ((env[a] === undefined) !== (env[b] === undefined)) {
        const missing = env[a] === undefined ? a : b
        context.addIssue({
          code: 'custom',
          path: [missing],
          message: `must be set too, since ${missing === a ? b : a} is`,
        })
      }
    }
    together('TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY')
    together('PODCASTINDEX_KEY', 'PODCASTINDEX_SECRET')
    together('STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY')
    together('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
    const areBothSet = env.STRIPE_SECRET_KEY !== undefined && env.STRIPE_PUBLISHABLE_KEY !== undefined
    if (areBothSet && modeOf(env.STRIPE_SECRET_KEY) !== modeOf(env.STRIPE_PUBLISHABLE_KEY)) {
      context.addIssue({
        code: 'custom',
        path: ['STRIPE_PUBLISHABLE_KEY'],
        message: 'must be of the same mode (test or live) as STRIPE_SECRET_KEY',
      })
    }
    const hasNoKey = env.PODCASTINDEX_KEY === undefined && env.PODCASTINDEX_SECRET === undefined
    if (env.PODCAST_DIRECTORIES.includes('podcastindex') && hasNoKey) {
      context.addIssue({
        code: 'custom',
        path: ['PODCASTINDEX_KEY'],
        message: 'must be set, since PODCAST_DIRECTORIES names podcastindex (itunes alone needs no key)',
      })
    }
    if (env.TRANSCRIPTION_BASE_URL === undefined && env.OPENAI_API_KEY === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['TRANSCRIPTION_BASE_URL'],
        message: 'must be set (any OpenAI-compatible server), or OPENAI_API_KEY for OpenAI itself',
      })
    }
  })

/** Whether a key of Stripe moves real money. */
function modeOf(key: string | undefined): string | undefined {
  return key?.split('_')[1]
}

export type Environment = z.infer<typeof environmentSchema>

/** Everything that a deployment can set, parsed once at start. */
export type Config = ReturnType<typeof toConfig>

export const CONFIG = Symbol('Config')

/** A setting that is wrong, or half set; its message is a sentence for whoever starts the product. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * @throws ConfigError with one line for each setting that is wrong.
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environmentSchema.safeParse(set)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0])
      return `  ${name} ${set[name] === undefined && issue.code === 'invalid_type' ? 'must be set' : issue.message}`
    })
    throw new ConfigError(
      `These settings cannot be used:\n${lines.join('\n')}\n.env.example names each setting.`,
    )
  }
  return toConfig(parsed.data)
}

const openAi = 'https://api.openai.com/v1'

/** OpenAI's key is for OpenAI: another server that speaks its protocol has no business with it. */
function openAiKeyFor(baseUrl: string | undefined, env: Environment): string | undefined {
  return new URL(baseUrl ?? openAi).origin === new URL(openAi).origin ? env.OPENAI_API_KEY : undefined
}

function toConfig(env: Environment) {
  return {
    http: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
      trustedProxies: env.TRUST_PROXY,
      frontendFolder: env.FRONTEND_DIST,
    },
    logLevel: env.LOG_LEVEL,
    dataFolder: env.DATA_DIR,
    secretKey: env.SECRET_KEY,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    eventStore: {
      name: env.EVENTSTORE_URL === undefined ? ('postgres' as const) : ('eventstoredb' as const),
      url: env.EVENTSTORE_URL,
    },
    ledger: { mailboxSize: env.LEDGER_MAILBOX_SIZE, cachedAccounts: env.LEDGER_CACHED_ACCOUNTS },
    temporal: { address: env.TEMPORAL_ADDRESS, namespace: env.TEMPORAL_NAMESPACE },
    transcription: {
      baseUrl: env.TRANSCRIPTION_BASE_URL ?? openAi,
      apiKey: env.TRANSCRIPTION_API_KEY ?? openAiKeyFor(env.TRANSCRIPTION_BASE_URL, env) ?? 'none',
      model: env.TRANSCRIPTION_MODEL,
      concurrency: env.TRANSCRIPTION_CONCURRENCY,
      chunkSeconds: env.TRANSCRIPTION_CHUNK_SECONDS,
      timeoutSeconds: env.TRANSCRIPTION_TIMEOUT_SECONDS,
    },
    /** Undefined: summaries are not offered. */
    summaries:
      env.SUMMARY_BASE_URL === undefined && env.OPENAI_API_KEY === undefined
        ? undefined
        : {
            baseUrl: env.SUMMARY_BASE_URL ?? openAi,
            apiKey: env.SUMMARY_API_KEY ?? openAiKeyFor(env.SUMMARY_BASE_URL, env) ?? 'none',
            model: env.SUMMARY_MODEL,
            concurrency: env.SUMMARY_CONCURRENCY,
            timeoutSeconds: env.SUMMARY_TIMEOUT_SECONDS,
            partWords: env.SUMMARY_PART_WORDS,
          },
    /** Undefined: nothing can be bought. */
    stripe:
      env.STRIPE_SECRET_KEY !== undefined &&
      env.STRIPE_PUBLISHABLE_KEY !== undefined &&
      env.STRIPE_WEBHOOK_SECRET !== undefined
        ? {
            secretKey: env.STRIPE_SECRET_KEY,
            publishableKey: env.STRIPE_PUBLISHABLE_KEY,
            webhookSecret: env.STRIPE_WEBHOOK_SECRET,
            apiUrl: env.STRIPE_API_URL,
            /** Undefined: from Stripe's own host. */
            jsUrl: env.STRIPE_JS_URL,
            checkoutMinutes: env.CHECKOUT_MINUTES,
          }
        : undefined,
    /** Undefined `smtpUrl`: we send no mail. */
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM },
    directories: {
      names: env.PODCAST_DIRECTORIES,
      podcastIndex: {
        baseUrl: env.PODCASTINDEX_BASE_URL,
        key: env.PODCASTINDEX_KEY ?? '',
        secret: env.PODCASTINDEX_SECRET ?? '',
      },
      itunes: { baseUrl: env.ITUNES_BASE_URL },
    },
    outgoing: {
      allowOrigins: env.FETCH_ALLOW_ORIGINS,
      feedMaxBytes: env.FEED_MAX_MB * 1_000_000,
      audioMaxBytes: env.AUDIO_MAX_MB * 1_000_000,
      audioTimeoutSeconds: env.AUDIO_TIMEOUT_SECONDS,
    },
    turnstile:
      env.TURNSTILE_SITE_KEY !== undefined && env.TURNSTILE_SECRET_KEY !== undefined
        ? { siteKey: env.TURNSTILE_SITE_KEY, secretKey: env.TURNSTILE_SECRET_KEY }
        : undefined,
    vendorRetry: { attempts: env.VENDOR_ATTEMPTS, intervalSeconds: env.VENDOR_RETRY_SECONDS },
  }
}
