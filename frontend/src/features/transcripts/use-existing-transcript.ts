import { skipToken, useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

/** The transcript of this episode that runs or is completed; null where there is none. A failed one may be tried again. */
export function useExistingTranscript(episodeId: string) {
  return useQuery(
    api.transcripts.list.queryOptions({
      input: episodeId === '' ? skipToken : { page: 1, limit: 100, episode_id: episodeId },
      staleTime: 0,
      select: ({ transcripts }) => transcripts.find(({ status }) => status !== 'failed') ?? null,
    }),
  )
}
