import type { CostEstimate } from '@earmark/contracts/credits'
import type { SummaryType } from '@earmark/contracts/summary-content'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { readProblem } from '../../api/problem.ts'
import type { Estimate } from './estimate.ts'

/** What transcribing would cost. An unknown length has no estimate: it is charged once it was measured. */
export function useTranscriptionEstimate(durationSeconds: number | null, isOpen: boolean): Estimate {
  const { data, error } = useQuery(
    api.credits.estimate.queryOptions({
      input: { operation_type: 'transcription', duration_seconds: durationSeconds ?? 0 },
      enabled: isOpen && durationSeconds !== null,
    }),
  )
  return durationSeconds === null ? { state: 'unknown_length' } : readEstimate(data, error)
}

/** What a summary would cost. */
export function useSummaryEstimate(
  summaryType: SummaryType,
  wordCount: number | null,
  isOpen: boolean,
): Estimate {
  const { data, error } = useQuery(
    api.credits.estimate.queryOptions({
      input: {
        operation_type: 'summary',
        summary_type: summaryType,
        ...(wordCount !== null && { word_count: wordCount }),
      },
      enabled: isOpen,
    }),
  )
  return readEstimate(data, error)
}

function readEstimate(data: CostEstimate | undefined, error: Error | null): Estimate {
  if (data !== undefined) return { state: 'known', credits: data.estimated_cost }
  if (error === null) return { state: 'loading' }
  return { state: 'failed', message: readProblem(error).detail ?? 'there was no answer' }
}
