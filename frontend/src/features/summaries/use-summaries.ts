import type { Summary } from '@earmark/contracts/summaries'
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api } from '../../api/api.ts'
import type { Output, OutputsState } from './AiOutputs.tsx'
import { readSummaryContent } from './summary-content.ts'

/** Spec section 9. */
const pollEveryMs = 3_000

const isRunning = ({ status }: Summary) => status === 'pending' || status === 'processing'

/** The summaries of a transcript; each that runs is asked for again every 3 s until it ends or a poll fails (spec section 4). */
export function useSummaries(transcriptId: string): OutputsState {
  const { data, isError, refetch } = useQuery(
    api.summaries.ofTranscript.queryOptions({ input: { id: transcriptId }, staleTime: 0 }),
  )
  const listed = data?.summaries
  const polled = usePolled(listed)
  const outputs = useMemo(() => listed?.map((summary) => outputOf(summary, polled)), [listed, polled])
  useRefreshWhenOneEnds(outputs)

  if (outputs !== undefined) return { state: 'known', outputs }
  return isError ? { state: 'failed', onRetry: () => void refetch() } : { state: 'loading' }
}

type Polled = { summary: Summary; hasFailed: boolean }[]

function usePolled(listed: Summary[] | undefined): Polled {
  return useQueries({
    queries: (listed ?? []).map((summary) =>
      api.summaries.get.queryOptions({
        input: { id: summary.id },
        initialData: summary,
        enabled: isRunning(summary),
        refetchInterval: ({ state }) =>
          state.status === 'success' && state.data !== undefined && isRunning(state.data)
            ? pollEveryMs
            : false,
      }),
    ),
    combine: (results) => results.map((result) => ({ summary: result.data, hasFailed: result.isError })),
  })
}

/** Of the list and the poll, the one that knows the end is right. */
function outputOf(listed: Summary, polled: Polled): Output {
  const poll = polled.find(({ summary }) => summary.id === listed.id)
  const summary = isRunning(listed) ? (poll?.summary ?? listed) : listed
  return {
    summary,
    content:
      summary.status === 'completed' ? readSummaryContent(summary.summary_type, summary.content) : null,
    isLost: isRunning(summary) && (poll?.hasFailed ?? false),
  }
}

/** A failed one has given its credits back. */
function useRefreshWhenOneEnds(outputs: Output[] | undefined): void {
  const queryClient = useQueryClient()
  const running = outputs?.flatMap(({ summary }) => (isRunning(summary) ? summary.id : [])).join(' ') ?? ''
  useEffect(() => {
    if (running === '') return
    return () => void queryClient.invalidateQueries({ queryKey: api.credits.key() })
  }, [running, queryClient])
}

/** Asks for a summary. Whether it was charged or refused, the balance is asked for again. */
export function useCreateSummary() {
  const queryClient = useQueryClient()
  return useMutation(
    api.summaries.create.mutationOptions({
      onSuccess: async (created) => {
        const queryKey = api.summaries.ofTranscript.queryKey({ input: { id: created.transcript_id } })
        // A list that was asked for before it was created would come after it, without it.
        await queryClient.cancelQueries({ queryKey })
        queryClient.setQueryData(queryKey, (known) => ({
          summaries: [
            ...(known?.summaries ?? []).filter(({ summary_type }) => summary_type !== created.summary_type),
            created,
          ],
        }))
      },
      onSettled: () => queryClient.invalidateQueries({ queryKey: api.credits.key() }),
    }),
  )
}

/** Asks again for one whose poll has failed. */
export function useCheckAgain(): (summaryId: string) => void {
  const queryClient = useQueryClient()
  return (summaryId) =>
    void queryClient.refetchQueries({ queryKey: api.summaries.get.queryKey({ input: { id: summaryId } }) })
}
