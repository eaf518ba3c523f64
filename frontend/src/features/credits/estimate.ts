import { microcreditsPerCredit, transcriptionPriceMicrocredits } from '@earmark/contracts/pricing'

export type Estimate =
  | { state: 'loading' }
  | { state: 'known'; credits: number }
  | { state: 'unknown_length' }
  | { state: 'failed'; message: string }

/** The least that any transcription costs, in credits: one started minute. */
const leastCredits = transcriptionPriceMicrocredits(0) / microcreditsPerCredit

/** Credits that must be there before the work may start; null while that is unknown. */
export function requiredCredits(estimate: Estimate): number | null {
  if (estimate.state === 'known') return estimate.credits
  return estimate.state === 'unknown_length' ? leastCredits : null
}

/** Credits that must come in first, never below zero, in whole millionths: they settle what is owed before they pay. */
export function missingCredits(required: number, available: number, owed: number): number {
  const missing = required - available + owed
  return Math.max(0, Math.round(missing * microcreditsPerCredit) / microcreditsPerCredit)
}
