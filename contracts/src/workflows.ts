/**
 * Names and payloads of the workflows: what the HTTP side and the worker agree on.
 * Types and constants alone, so that a workflow's bundle carries no validator. Payloads carry ids and sizes, never audio or text.
 */

export const taskQueues = {
  /** Workflows, and the activities that wait on our own parts. */
  main: 'earmark',
  /** Recognition alone: its concurrency is the number of the provider's slots. */
  recognition: 'earmark-recognition',
} as const

export const transcribeWorkflow = 'transcribeEpisode'

/** Search attributes by which an operator finds jobs (both of type Keyword). */
export const searchAttributes = { userId: 'userId', episodeId: 'episodeId' } as const

export type TranscribeInput = {
  transcriptId: string
  userId: string
  episodeId: string
  episodeTitle: string | null
  audioUrl: string
  /** What the feed or the client says; null where nobody says. Never trusted for the final price. */
  claimedDurationSeconds: number | null
  /** The request that started it: the same id is in the logs of both processes. */
  requestId: string
}

/** Answers once the deduction is made or refused. */
export const chargedUpdate = 'charged'

export type ChargedAnswer =
  | { outcome: 'charged'; amountMicrocredits: number }
  /** The length is unknown: it is deducted once the audio is here. */
  | { outcome: 'charged_later' }
  | { outcome: 'insufficient_credits'; requiredMicrocredits: number; availableMicrocredits: number }

export const progressQuery = 'progress'

export type TranscribeStage =
  | 'charging'
  | 'downloading'
  | 'settling'
  | 'splitting'
  | 'transcribing'
  | 'saving'
  | 'completed'
  | 'failed'
  | 'refused'

export type TranscribeProgress = { stage: TranscribeStage; chunksDone: number; chunks: number }

export type TranscribeResult =
  | { outcome: 'completed'; wordCount: number; durationSeconds: number; chargedMicrocredits: number }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'refused' }
