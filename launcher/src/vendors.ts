import { sandbox, speech, type Speech } from './parts.ts'
import type { Session } from './session.ts'
import { needsSandbox, refuseOpenSandbox, type SandboxPlace } from './settings.ts'

export type Vendors = {
  sandbox: SandboxPlace | undefined
  /** Where the product finds speech to text; undefined where the user has a vendor of their own. */
  transcription: Speech | undefined
  isTranscriptionPretended: boolean
}

/** Starts what stands in for the vendors that the user has not set up. `backendPort` is where webhooks go. */
export const startVendors = async (session: Session, backendPort: number): Promise<Vendors> => {
  const { settings } = session
  const [recognition, place] = await Promise.all([
    speech(session),
    needsSandbox(settings) ? sandbox(session, backendPort) : undefined,
  ])
  if (recognition || settings.hasOwnTranscription)
    return { sandbox: place, transcription: recognition, isTranscriptionPretended: false }

  refuseOpenSandbox(settings)
  const used = place ?? (await sandbox(session, backendPort))
  return {
    sandbox: used,
    transcription: { baseUrl: `${used.origin}/openai/v1`, model: 'whisper-1', concurrency: 2 },
    isTranscriptionPretended: true,
  }
}
