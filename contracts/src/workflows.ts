/**
 * Names and payloads of the workflows: what the HTTP side and the worker agree on.
 * Types and constants alone, so that a workflow's bundle carries no validator. Payloads carry ids and sizes, never audio or text.
 */

export const taskQueues = {
  /** Workflows, and the activities that wait on our own parts. */
  main: 'earmark',
  /** Recognition alone: its concurrency is the number of the provider's slots. */
  recognition: 'earmark-recognition',
  /** Questions to the language model alone, in the same way. */
  language: 'earmark-language',
  /** The card provider and the mail server: while one of them hangs, nothing else waits for it. */
  payments: 'earmark-payments',
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

/** How long each step of a transcription may try. Part of the input, so that a deployment or a test can set it and a replay knows it. */
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

export const summariseWorkflow = 'summariseTranscript'

export type SummariseInput = {
  summaryId: string
  transcriptId: string
  userId: string
  episodeId: string
  requestId: string
  bounds: SummariseBounds
}

export type SummariseBounds = {
  /** Tries of a call to the language model's server, the first wait between two of them (it doubles). */
  vendorAttempts: number
  vendorRetrySeconds: number
  /** One answer of the model. */
  answerSeconds: number
}

export type SummariseResult =
  { outcome: 'completed' } | { outcome: 'failed'; message: string } | { outcome: 'refused' }

export const confirmPaymentWorkflow = 'confirmPayment'

/** Amount, credits and owner are in our own record of the session, not here. */
export type ConfirmPaymentInput = { sessionId: string; requestId: string; bounds: ConfirmPaymentBounds }

export type ConfirmPaymentBounds = {
  vendorAttempts: number
  vendorRetrySeconds: number
}

/** Somebody has reason to look: the webhook, the reconciler. */
export const lookAgainSignal = 'lookAgain'

/** The same for somebody who waits: answers what a look after the call has found. */
export const settledUpdate = 'settled'

/** `open`: not paid, or not certain yet. `review`: what was paid is not what our record says; an operator must look. */
export type PaymentOutcome = 'open' | 'credited' | 'expired' | 'failed' | 'review'
