import type { CostEstimate, OperationType, PricingEntry } from '@earmark/contracts/credits'
import {
  summaryMicrocredits,
  transcriptionMicrocreditsPerMinute,
  transcriptionPriceMicrocredits,
} from '@earmark/contracts/pricing'
import { microcredits, toCredits, type Microcredits } from './domain/amounts.ts'

/** What an operation would cost. A transcription of unknown length is priced as its first minute. */
export function priceOfOperation(type: OperationType, factors: CostEstimate['factors']): Microcredits {
  switch (type) {
    case 'transcription':
      return microcredits(transcriptionPriceMicrocredits(factors.duration_seconds ?? 0))
    case 'summary':
      return microcredits(summaryMicrocredits)
  }
}

export const priceList: PricingEntry[] = [
  {
    operation_type: 'transcription',
    credits: toCredits(microcredits(transcriptionMicrocreditsPerMinute)),
    unit: 'started_minute',
    description: 'Transcription: 0.01 credits for each started minute of audio ($0.60/hour)',
  },
  {
    operation_type: 'summary',
    credits: toCredits(microcredits(summaryMicrocredits)),
    unit: 'summary',
    description: 'AI summary: 0.05 credits each, flat',
  },
]
