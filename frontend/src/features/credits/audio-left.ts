import { microcreditsPerCredit, transcriptionMicrocreditsPerMinute } from '@earmark/contracts/pricing'

/** What a balance buys, in words. */
export function audioLeft(credits: number): string {
  const minutes = Math.floor((credits * microcreditsPerCredit) / transcriptionMicrocreditsPerMinute + 1e-6)
  if (minutes <= 0) return 'No audio left to transcribe'
  if (minutes < 120) return `About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of audio left`
  return `About ${Math.floor(minutes / 60)} hours of audio left`
}
