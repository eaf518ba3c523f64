import { z } from 'zod'

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(1).max(65535).optional(),
  PUBLIC_URL: z.string().optional(),
  ALLOW_SANDBOX: z.enum(['0', '1']).default('0'),
  DATABASE_URL: z.string().optional(),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_UI_URL: z.string().optional(),
  OPENAI_API_KEY: z.string().optional(),
  TRANSCRIPTION_BASE_URL: z.string().optional(),
  SUMMARY_BASE_URL: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  SMTP_URL: z.string().optional(),
  PODCAST_DIRECTORIES: z.string().default('podcastindex,itunes'),
  PODCASTINDEX_KEY: z.string().optional(),
  SPEECH_MODEL: z.string().default('base'),
  SPEECH_SLOTS: z.coerce.number().int().min(1).default(1),
  EARMARK_MODELS: z.string().optional(),
})

/** What the launcher decides by. All other settings go to the backend as they are, which checks them. */
export type Settings = z.infer<typeof environment> & {
  /** True where recognition is somebody else's: no speech server is started. */
  hasOwnTranscription: boolean
  /** What the sandbox stands in for, whatever comes of recognition. */
  sandbox: Record<'directory' | 'summaries' | 'cards' | 'mail', boolean>
}

/** Throws an Error with one line for each setting that cannot be used. */
export const readSettings = (env: NodeJS.ProcessEnv): Settings => {
  const parsed = environment.safeParse(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')),
  )
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`These settings cannot be used:\n${lines.join('\n')}`)
  }
  const settings = parsed.data
  return {
    ...settings,
    hasOwnTranscription: Boolean(settings.OPENAI_API_KEY ?? settings.TRANSCRIPTION_BASE_URL),
    sandbox: {
      directory: settings.PODCAST_DIRECTORIES.includes('podcastindex') && !settings.PODCASTINDEX_KEY,
      summaries: !(settings.OPENAI_API_KEY ?? settings.SUMMARY_BASE_URL),
      cards: !settings.STRIPE_SECRET_KEY,
      mail: !settings.SMTP_URL,
    },
  }
}

/** True where anything but recognition is pretended; of recognition it is known only once a model was looked for. */
export const needsSandbox = ({ sandbox }: Settings) => Object.values(sandbox).some(Boolean)

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/** Throws where a stranger could reach a product whose vendors are pretended. */
export const refuseOpenSandbox = ({ HOST, ALLOW_SANDBOX }: Settings) => {
  if (loopbackHosts.includes(HOST) || ALLOW_SANDBOX === '1') return
  throw new Error(
    `HOST is ${HOST}, so that others can reach Earmark, while some of its vendors are the sandbox. Set up the real ` +
      'vendors (see .env.example), or leave HOST at 127.0.0.1, or set ALLOW_SANDBOX=1 if you know what you do.',
  )
}

/** Where the sandbox is, and how its card provider signs. */
export type SandboxPlace = { origin: string; smtpUrl: string; webhookSecret: string }

export type RunningParts = {
  port: number
  publicUrl: string
  dataFolder: string
  /** Left out where another server has the screens. */
  frontendFolder: string | undefined
  secretKey: string
  databaseUrl: string
  temporalAddress: string
  temporalUiUrl: string | undefined
  sandbox: SandboxPlace | undefined
  /** Left out where the user has a transcription vendor of their own. */
  transcription: { baseUrl: string; model: string; concurrency: number } | undefined
}

/** The backend's settings: what the user has set, and for the rest the parts that run here. */
export const backendEnvironment = (
  env: NodeJS.ProcessEnv,
  settings: Settings,
  parts: RunningParts,
): NodeJS.ProcessEnv => ({
  PUBLIC_URL: parts.publicUrl,
  DATA_DIR: `${parts.dataFolder}/files`,
  SECRET_KEY: parts.secretKey,
  ...withoutEmpty(env),
  // What the user says of these is where they are wanted; this is where they are.
  ...(parts.sandbox && pretended(settings, parts.sandbox)),
  ...(parts.transcription && {
    TRANSCRIPTION_BASE_URL: parts.transcription.baseUrl,
    TRANSCRIPTION_API_KEY: 'local',
    TRANSCRIPTION_MODEL: parts.transcription.model,
    TRANSCRIPTION_CONCURRENCY: String(parts.transcription.concurrency),
  }),
  HOST: settings.HOST,
  PORT: String(parts.port),
  ...(parts.frontendFolder !== undefined && { FRONTEND_DIST: parts.frontendFolder }),
  DATABASE_URL: parts.databaseUrl,
  TEMPORAL_ADDRESS: parts.temporalAddress,
  ...(parts.temporalUiUrl !== undefined && { TEMPORAL_UI_URL: parts.temporalUiUrl }),
  ...(parts.sandbox && {
    FETCH_ALLOW_ORIGINS: [env.FETCH_ALLOW_ORIGINS, parts.sandbox.origin].filter(Boolean).join(','),
  }),
})

/** The vendors' addresses and keys, for those that the sandbox stands in for. */
const pretended = ({ sandbox }: Settings, { origin, smtpUrl, webhookSecret }: SandboxPlace) => ({
  ...(sandbox.directory && {
    PODCASTINDEX_BASE_URL: `${origin}/podcastindex/api/1.0`,
    PODCASTINDEX_KEY: 'sandbox',
    PODCASTINDEX_SECRET: 'sandbox',
  }),
  ...(sandbox.summaries && {
    SUMMARY_BASE_URL: `${origin}/openai/v1`,
    SUMMARY_API_KEY: 'sandbox',
    SUMMARY_MODEL: 'sandbox-extractive',
  }),
  ...(sandbox.cards && {
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: origin,
    STRIPE_JS_URL: `${origin}/stripe/js`,
  }),
  ...(sandbox.mail && { SMTP_URL: smtpUrl }),
})

const withoutEmpty = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value))
