import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

/** Starts a transcription. Whether it was charged or refused, the balance and the list of transcripts are asked for again. */
export function useCreateTranscript() {
  const queryClient = useQueryClient()
  return useMutation(
    api.transcripts.create.mutationOptions({
      onSettled: () => {
        void queryClient.invalidateQueries({ queryKey: api.credits.key() })
        void queryClient.invalidateQueries({ queryKey: api.transcripts.list.key() })
      },
    }),
  )
}
