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
  if (durationSeconds === null) return { state: 'unknown_length' }
  if (data !== undefined) return { state: 'known', credits: data.estimated_cost }
  if (error === null) return { state: 'loading' }
  return { state: 'failed', message: readProblem(error).detail ?? 'there was no answer' }
}
