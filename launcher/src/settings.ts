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
  /** True where the sample shows stand in for Podcast Index. */
  usesSandboxDirectory: boolean
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
    usesSandboxDirectory: settings.PODCAST_DIRECTORIES.includes('podcastindex') && !settings.PODCASTINDEX_KEY,
  }
}

const loopbackHosts = ['127.0.0.1', '::1', 'localhost']

/** Throws where a stranger could reach a product whose vendors are pretended. */
export const refuseOpenSandbox = ({ HOST, ALLOW_SANDBOX }: Settings) => {
  if (loopbackHosts.includes(HOST) || ALLOW_SANDBOX === '1') return
  throw new Error(
    `HOST is ${HOST}, so that others can reach Earmark, while some of its vendors are the sandbox. Set up the real ` +
      'vendors (see .env.example), or leave HOST at 127.0.0.1, or set ALLOW_SANDBOX=1 if you know what you do.',
  )
}

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
  sandboxOrigin: string | undefined
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
  ...(settings.usesSandboxDirectory && {
    PODCASTINDEX_BASE_URL: `${parts.sandboxOrigin ?? ''}/podcastindex/api/1.0`,
    PODCASTINDEX_KEY: 'sandbox',
    PODCASTINDEX_SECRET: 'sandbox',
  }),
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
  ...(parts.sandboxOrigin !== undefined && {
    FETCH_ALLOW_ORIGINS: [env.FETCH_ALLOW_ORIGINS, parts.sandboxOrigin].filter(Boolean).join(','),
  }),
})

const withoutEmpty = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value))
