import type { Transcript } from './transcript.ts'

export type Job = {
  audio: Uint8Array
  fileName: string
  /** An ISO-639-1 code; where it is left out the model finds out by itself. */
  language?: string | undefined
  /** Words that help with names and style. */
  prompt?: string | undefined
  temperature: number
}

export type ToChild = { job: Job }

export type FromChild =
  | { kind: 'ready'; isMultilingual: boolean }
  | { kind: 'recognized'; transcript: Transcript }
  | { kind: 'refused'; code: string; message: string; param: string }
