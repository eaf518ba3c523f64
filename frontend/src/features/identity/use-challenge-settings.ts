import type { ChallengeSettings } from './BotChallenge.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

/** Which bot challenge the forms show. It doesn't change while the page is open. */
export function useChallengeSettings(): ChallengeSettings {
  const { data, isError, refetch } = useQuery(
    api.identity.challengeSettings.queryOptions({ staleTime: Number.POSITIVE_INFINITY }),
  )
  if (data !== undefined) return data
  return isError ? { provider: 'unavailable', onRetry: () => void refetch() } : { provider: 'loading' }
}
