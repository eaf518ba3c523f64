import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { eachOnce } from './each-once.ts'

/** Spec section 9. */
const pageSize = 20
const chartedDays = 30

/** The credit history, page by page, newest first. */
export function useCreditHistory() {
  return useInfiniteQuery(
    api.credits.transactions.infiniteOptions({
      input: (offset: number) => ({ limit: pageSize, offset }),
      initialPageParam: 0,
      // Counted with the lines that came twice: new ones push the rest down, so that none is skipped.
      getNextPageParam: (page, pages) =>
        page.has_more ? pages.reduce((total, { transactions }) => total + transactions.length, 0) : null,
      staleTime: 5_000,
      select: ({ pages }) => eachOnce(pages.flatMap(({ transactions }) => transactions)),
    }),
  )
}

/** What was spent on each of the last 30 days of the reader's calendar. */
export function useSpending() {
  return useQuery(
    api.credits.spending.queryOptions({
      input: { days: chartedDays, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone },
      select: ({ days }) => days,
    }),
  )
}
