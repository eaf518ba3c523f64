import { problemStatus, type ProblemCode } from '@earmark/contracts/problems'
import { describe, expect, it } from 'vitest'
import { problemDecoder } from '../../api/problem.ts'
import { startRefusal } from './start-refusal.ts'

const refused = (code: ProblemCode, detail: string, details?: Record<string, unknown>) =>
  problemDecoder({ code, detail, details }, { status: problemStatus[code] })

describe('a transcription that does not start', () => {
  it('opens the dialog where the 402 says its amounts', () => {
    expect(startRefusal(refused('insufficient_credits', 'required 2, available 1'))).toEqual({
      kind: 'shortfall',
      shortfall: { required: 2, available: 1 },
    })
  })

  it.each([
    [refused('insufficient_credits', 'no'), 'Insufficient credits to start transcription.'],
    [
      refused('too_many_transcriptions', 'no'),
      'You have reached the maximum number of concurrent transcriptions (2). Please wait for existing transcriptions to complete before starting new ones.',
    ],
    [refused('internal_error', 'no'), 'Failed to start transcription. Please try again.'],
    [problemDecoder('<html>', { status: 502 }), 'Failed to start transcription. Please try again.'],
    [new TypeError('Failed to fetch'), 'Failed to start transcription. Please try again.'],
  ])('is told in the words of the catalogue', (error, message) => {
    expect(startRefusal(error)).toEqual({ kind: 'message', message })
  })
})
