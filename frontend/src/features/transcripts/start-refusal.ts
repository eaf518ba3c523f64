import { readProblem } from '../../api/problem.ts'
import { readShortfall, type Shortfall } from '../credits/insufficient-credits.ts'

export type StartRefusal = { kind: 'shortfall'; shortfall: Shortfall } | { kind: 'message'; message: string }

/** Spec section 8, "Start transcription". */
export function startRefusal(error: unknown): StartRefusal {
  const problem = readProblem(error)
  if (problem.status === 402) {
    const shortfall = readShortfall(problem)
    return shortfall === null
      ? { kind: 'message', message: 'Insufficient credits to start transcription.' }
      : { kind: 'shortfall', shortfall }
  }
  if (problem.status === 429 && problem.code !== 'too_many_requests') {
    return {
      kind: 'message',
      message:
        'You have reached the maximum number of concurrent transcriptions (2). ' +
        'Please wait for existing transcriptions to complete before starting new ones.',
    }
  }
  return { kind: 'message', message: 'Failed to start transcription. Please try again.' }
}
