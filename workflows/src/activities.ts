import type {
  ChargedAnswer,
  PaymentOutcome,
  SummariseResult,
  TranscribeProgress,
  TranscribeResult,
} from '@earmark/contracts/workflows'

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

export type SummaryJob = Job & { summaryId: string }

export type SummariseStage = 'charging' | 'reading' | 'noting' | 'writing' | 'checking' | 'ended'

/** `parts` is 0 until the transcript is read; with one part there is nothing to note. */
export type SummariseProgress = { stage: SummariseStage; partsDone: number; parts: number }

/** Of a question to the language model: `complaint` says what was wrong with its answer, in words for the model. */
export type Answered = { usable: true } | { usable: false; complaint: string }

/** Asks a question; `complaint` is what was wrong with the answer before. What is usable is stored, and not asked for again. */
type Question = SummaryJob & { complaint: string | null }

export type SummaryActivities = {
  /**
   * Deducts the price of a summary, by the summary's id as operation id, unless its request gave up meanwhile.
   * A refusal marks the summary as refused.
   */
  chargeSummary: (input: SummaryJob) => Promise<ChargedAnswer>

  /** Reads how long the transcript is: in how many parts it goes to the model. */
  planSummary: (input: SummaryJob) => Promise<{ parts: number }>

  /** Drops each quote that is not in the transcript and saves the summary as completed. */
  saveSummary: (input: SummaryJob) => Promise<void>

  /**
   * Gives back what was taken and marks the summary as failed, unless it is completed already.
   * From then on no deduction that was under way can still land.
   */
  failSummary: (
    input: SummaryJob & { message: string },
  ) => Promise<Exclude<SummariseResult, { outcome: 'refused' }>>

  /** Shows a stage to the user. Losing one is no harm. */
  reportSummaryProgress: (input: SummaryJob & { progress: SummariseProgress }) => Promise<void>
}

/** On the language task queue. */
export type LanguageActivities = {
  /** Has the model note what matters in one part of the transcript. */
  noteTranscriptPart: (input: Question & { part: number; parts: number }) => Promise<Answered>

  /** Has the model write the summary: from the transcript itself, or from the notes of all its parts. */
  writeSummary: (input: Question & { from: 'transcript' | 'notes' }) => Promise<Answered>
}

/** Whose payment an activity works on; everything else is in our record of the session. */
export type PaymentJob = { sessionId: string; requestId: string }

/** What the card provider says of a checkout, held against our own record of it. */
export type CheckoutState =
  | { state: 'open' }
  | { state: 'paid'; customerEmail: string | null; paymentIntentId: string | null }
  | { state: 'expired' | 'failed' | 'review' }
  /** Our record says so; the provider was not asked. */
  | { state: 'credited' }

export type PaymentActivities = {
  /** Adds the credits of our record, by the session's id as operation id: once, however often it runs. */
  creditPayment: (
    input: PaymentJob & { customerEmail: string | null; paymentIntentId: string | null },
  ) => Promise<PaymentOutcome>

  /** Marks the record of a checkout that will not be paid, unless it was credited. */
  closePayment: (input: PaymentJob & { outcome: 'expired' | 'failed' | 'review' }) => Promise<PaymentOutcome>
}

/** On the payments task queue: what waits for the card provider or the mail server. */
export type PaymentVendorActivities = {
  /** Asks the card provider. Fails where it does not answer, for good where it refuses to. */
  lookAtCheckout: (input: PaymentJob) => Promise<CheckoutState>

  /** Mails the receipt, unless it was sent. Fails for good where the mail server will never take it. */
  sendReceipt: (input: PaymentJob) => Promise<void>
}

/** The type of an application failure whose message is meant for the user. */
export const explainedFailure = 'Explained'
