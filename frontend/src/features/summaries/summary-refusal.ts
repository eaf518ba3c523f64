import { readProblem } from '../../api/problem.ts'
import { readShortfall, type Shortfall } from '../credits/insufficient-credits.ts'

export type SummaryRefusal =
  { kind: 'shortfall'; shortfall: Shortfall } | { kind: 'message'; message: string }

const failure = 'Failed to create summary. Please try again.'

/** Spec section 8, "Summary creation". `balanceCredits` is what is known of the balance. */
export function summaryRefusal(error: unknown, balanceCredits: number | null): SummaryRefusal {
  const problem = readProblem(error)
  const required = problem.details?.['required_credits']
  if (problem.status === 402) {
    const shortfall =
      readShortfall(problem) ??
      (typeof required === 'number' ? { required, available: balanceCredits ?? 0 } : null)
    if (shortfall !== null) return { kind: 'shortfall', shortfall }
  }
  // Trying again will not help here, and the server says why.
  if (problem.status === 409 && problem.detail !== null) {
    return { kind: 'message', message: `${failure} ${problem.detail}` }
  }
  return { kind: 'message', message: failure }
}
