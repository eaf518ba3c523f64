import { sandbox, speech, type Speech } from './parts.ts'
import type { Session } from './session.ts'
import { refuseOpenSandbox } from './settings.ts'

export type Vendors = {
  sandboxOrigin: string | undefined
  /** Where the product finds speech to text; undefined where the user has a vendor of their own. */
  transcription: Speech | undefined
  isTranscriptionPretended: boolean
}

/** Starts what stands in for the vendors that the user has not set up. */
export const startVendors = async (session: Session): Promise<Vendors> => {
  const { settings } = session
  const [recognition, shows] = await Promise.all([
    speech(session),
    settings.usesSandboxDirectory ? sandbox(session) : undefined,
  ])
  if (recognition || settings.hasOwnTranscription) {
    return { sandboxOrigin: shows?.origin, transcription: recognition, isTranscriptionPretended: false }
  }

  refuseOpenSandbox(settings)
  const { origin } = shows ?? (await sandbox(session))
  return {
    sandboxOrigin: origin,
    transcription: { baseUrl: `${origin}/openai/v1`, model: 'whisper-1', concurrency: 2 },
    isTranscriptionPretended: true,
  }
}
