import type { ChargedAnswer } from '@earmark/contracts/workflows'
import { microcredits, toCredits } from '../credits/domain/amounts.ts'

type Insufficient = Omit<Extract<ChargedAnswer, { outcome: 'insufficient_credits' }>, 'outcome'>

/** The words that the browser knows a refused charge by (spec section 8). */
export function insufficientWords(answer: Insufficient): string {
  const { required_credits, available_credits } = insufficientDetails(answer)
  return `Insufficient credits: required ${required_credits}, available ${available_credits}`
}

/** The numbers that its dialog shows. */
export function insufficientDetails(answer: Insufficient) {
  return {
    required_credits: toCredits(microcredits(answer.requiredMicrocredits)),
    available_credits: toCredits(microcredits(answer.availableMicrocredits)),
  }
}
