import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'

const shownInHeader = 3

/** The latest transactions for the header's dropdown, asked for once it is open. */
export function useRecentTransactions(isOpen: boolean) {
  return useQuery(
    api.credits.transactions.queryOptions({
      input: { limit: shownInHeader, offset: 0 },
      enabled: isOpen,
      staleTime: 5_000,
    }),
  )
}
