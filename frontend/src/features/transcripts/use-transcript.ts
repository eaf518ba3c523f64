import type { TranscriptStatus } from '@earmark/contracts/transcripts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api/api.ts'

const pollEveryMs = 3_000

export function isRunning(status: TranscriptStatus): boolean {
  return status === 'pending' || status === 'processing'
}

/** One transcript, asked for again every 3 s while it runs (spec section 4). Its end may have given credits back. */
export function useTranscript(id: string) {
  const queryClient = useQueryClient()
  const query = useQuery(
    api.transcripts.get.queryOptions({
      input: { id },
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data !== undefined && isRunning(state.data.status) ? pollEveryMs : false,
    }),
  )

  const status = query.data?.status
  useEffect(() => {
    if (status === undefined || !isRunning(status)) return
    return () => void queryClient.invalidateQueries({ queryKey: api.credits.key() })
  }, [status, queryClient])

  return query
}
