import {
  microcreditsPerCredit,
  summaryMicrocredits,
  transcriptionMicrocreditsPerMinute,
} from '@earmark/contracts/pricing'
import { formatCredits, formatDollars } from '../../ui/format.ts'

const minute = transcriptionMicrocreditsPerMinute / microcreditsPerCredit
const summary = summaryMicrocredits / microcreditsPerCredit

/** In credits, as the screens say them. */
export const minutePrice = formatCredits(minute)
export const summaryPrice = formatCredits(summary)

/** In US dollars, at a dollar a credit: without any package's discount. */
export const hourPriceInDollars = formatDollars(minute * 60)
export const summaryPriceInDollars = formatDollars(summary)
