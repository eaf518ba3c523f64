/** Prices and amounts that both sides show or compute. Sources: spec section 9. */

/** The ledger counts in millionths of a credit, as integers. */
export const microcreditsPerCredit = 1_000_000

/** 0.01 credits for each started minute of audio. */
export const transcriptionMicrocreditsPerMinute = 10_000

/** 0.05 credits for each summary. */
export const summaryMicrocredits = 50_000

/** The minutes that are charged for `durationSeconds` of audio: each started one, at least one. */
export function chargedMinutes(durationSeconds: number): number {
  return Math.max(1, Math.ceil(durationSeconds / 60))
}

/** The price of a transcription, in millionths of a credit. */
export function transcriptionPriceMicrocredits(durationSeconds: number): number {
  return chargedMinutes(durationSeconds) * transcriptionMicrocreditsPerMinute
}
