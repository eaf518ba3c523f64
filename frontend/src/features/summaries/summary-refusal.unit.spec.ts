import { problemStatus, type ProblemCode } from '@earmark/contracts/problems'
import { describe, expect, it } from 'vitest'
import { problemDecoder } from '../../api/problem.ts'
import { summaryRefusal } from './summary-refusal.ts'

const refused = (code: ProblemCode, detail: string, details?: Record<string, unknown>) =>
  problemDecoder({ code, detail, details }, { status: problemStatus[code] })

const failure = 'Failed to create summary. Please try again.'

describe('a summary that is not created', () => {
  it('opens the dialog with what is required', () => {
    expect(
      summaryRefusal(refused('insufficient_credits', 'Not enough', { required_credits: 0.05 }), 0.02),
    ).toEqual({ kind: 'shortfall', shortfall: { required: 0.05, available: 0.02 } })
    expect(
      summaryRefusal(
        refused('insufficient_credits', '', { required_credits: 0.05, available_credits: 0.01 }),
        0.02,
      ),
    ).toEqual({ kind: 'shortfall', shortfall: { required: 0.05, available: 0.01 } })
  })

  it.each([
    [refused('insufficient_credits', 'no'), failure],
    [refused('internal_error', 'no'), failure],
    [new TypeError('Failed to fetch'), failure],
    [
      refused('nothing_to_summarise', 'There is nothing said in it.'),
      `${failure} There is nothing said in it.`,
    ],
  ])('is told in the words of the catalogue', (error, message) => {
    expect(summaryRefusal(error, 1)).toEqual({ kind: 'message', message })
  })
})
