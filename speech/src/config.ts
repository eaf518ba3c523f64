import os from 'node:os'
import { z } from 'zod'

const count = (fallback: number) => z.coerce.number().int().min(1).max(256).default(fallback)

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4810),
  SPEECH_MODEL: z.string().default('base'),
  SPEECH_SLOTS: count(1),
  SPEECH_THREADS: count(os.availableParallelism()),
  SPEECH_QUEUE: z.coerce.number().int().min(0).max(1000).default(8),
})

export type SpeechConfig = z.infer<typeof environment>

/** Throws an Error whose message names every setting that is wrong, one a line. */
export const readConfig = (env: NodeJS.ProcessEnv): SpeechConfig => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
}
