import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

/** Fetched again only when the last answer is older than this, unless forced (spec section 9). */
const freshForMs = 5_000

/** The balance in credits and what is owed; null while it is unknown. */
export function useBalance() {
  const { data, isError, refetch, isFetching } = useQuery(
    api.credits.balance.queryOptions({ staleTime: freshForMs }),
  )
  const owedCredits = data?.owed ?? 0
  return { credits: data?.balance ?? null, owedCredits, isError, isFetching, refetch }
}

/** Forces a fresh balance and history: something was just paid or given back. */
export function useRefreshCredits(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: api.credits.key() })
}
