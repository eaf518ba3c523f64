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
  bounds: TranscribeBounds
}

/** How long each step may try. Part of the input, so that a deployment or a test can set it and a replay knows it. */
export type TranscribeBounds = {
  /** Tries of a call to somebody else's server, the first wait between two of them (it doubles). */
  vendorAttempts: number
  vendorRetrySeconds: number
  /** One download of the audio. */
  downloadSeconds: number
  /** One recognition of one chunk. */
  recognitionSeconds: number
  chunkSeconds: number
}

/** Answers once the deduction is made or refused. */
export const chargedUpdate = 'charged'

export type ChargedAnswer =
  | { outcome: 'charged'; amountMicrocredits: number }
  /** The length is unknown: it is deducted once the audio is here. */
  | { outcome: 'charged_later' }
  | { outcome: 'insufficient_credits'; requiredMicrocredits: number; availableMicrocredits: number }
  /** The request that started it gave up waiting before anything was charged. */
  | { outcome: 'withdrawn' }

export const progressQuery = 'progress'

export type TranscribeStage = 'charging' | 'downloading' | 'splitting' | 'transcribing' | 'saving' | 'ended'

export type TranscribeProgress = { stage: TranscribeStage; chunksDone: number; chunks: number }

export type TranscribeResult =
  | { outcome: 'completed'; wordCount: number; durationSeconds: number; chargedMicrocredits: number }
  | { outcome: 'failed'; message: string }
  | { outcome: 'refused' }
