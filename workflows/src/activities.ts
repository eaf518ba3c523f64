import type { ChargedAnswer, TranscribeProgress, TranscribeResult } from '@earmark/contracts/workflows'

/** Whose job an activity works on. The request's id goes on into the worker's logs. */
export type Job = { transcriptId: string; userId: string; requestId: string }

/** Signatures of what the workflows ask of the worker. Each may run twice: its effect must be the same as once. */
export type TranscriptActivities = {
  /**
   * Deducts for the claimed length, by the transcript's id as operation id, unless its request gave up meanwhile.
   * A refusal marks the transcript as refused.
   */
  chargeTranscription: (
    input: Job & {
      episodeTitle: string | null
      claimedDurationSeconds: number | null
    },
  ) => Promise<ChargedAnswer>

  /** Downloads the audio into the audio store and measures it. */
  fetchAudio: (input: Job & { audioUrl: string }) => Promise<{ durationSeconds: number }>

  /**
   * Makes the charge that of the real length: gives the difference back, or takes it.
   * Fails, explained, where the balance does not cover it.
   */
  settleTranscription: (
    input: Job & {
      episodeTitle: string | null
      claimedDurationSeconds: number | null
      durationSeconds: number
    },
  ) => Promise<{ chargedMicrocredits: number }>

  /** Cuts the stored audio into chunks that a provider takes; answers how many there are. */
  splitAudio: (input: Job & { chunkSeconds: number }) => Promise<{ chunks: number }>

  /** Joins the chunks' words and saves the transcript as completed. Fails, explained, where nothing was said. */
  saveTranscript: (input: Job & { chunks: number }) => Promise<{ wordCount: number }>

  /**
   * Gives back everything that was taken and marks the transcript as failed, unless it is completed already.
   * From then on no deduction that was under way can still land.
   */
  failTranscription: (
    input: Job & { message: string },
  ) => Promise<Exclude<TranscribeResult, { outcome: 'refused' }>>

  /** Shows a stage to the user. Losing one is no harm. */
  reportProgress: (input: Job & { progress: TranscribeProgress }) => Promise<void>

  /** Removes the audio and the chunks. */
  discardAudio: (input: Job) => Promise<void>
}

/** On the recognition task queue. */
export type RecognitionActivities = {
  /** Has the provider recognise one chunk and stores what it heard. */
  recogniseChunk: (input: Job & { index: number }) => Promise<void>
}

/** The type of an application failure whose message is meant for the user. */
export const explainedFailure = 'Explained'
