import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/api.ts'

const pageSize = 20
const slowAfterMs = 3_000

/** A feed's episodes, page by page. `feed` is the feed's id or its slug. */
export function useEpisodes(feed: string, search: string) {
  return useInfiniteQuery(
    api.podcasts.episodes.infiniteOptions({
      input: (offset: number) => ({
        feed,
        page: 1,
        limit: pageSize,
        offset,
        ...(search !== '' && { search }),
      }),
      initialPageParam: 0,
      getNextPageParam: (page) => (page.has_more ? page.next_offset : null),
      placeholderData: keepPreviousData,
    }),
  )
}

/** True once something has been loading for 3 s (spec section 9). */
export function useIsSlow(isLoading: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsSlow(true), slowAfterMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isLoading])
  return isSlow
}
