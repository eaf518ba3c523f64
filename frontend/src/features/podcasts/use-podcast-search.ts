import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/api.ts'
import { forgetSearch, readSavedSearch, saveSearch, savedSearchLifetimeMs } from './saved-search.ts'
import { searchDebounceMs, searchesByItself } from './search-rule.ts'

/** The search box and its results: searches while typing, at once when asked, and remembers the last search for 30 minutes. */
export function usePodcastSearch() {
  const [saved] = useState(() => readSavedSearch(window.localStorage, Date.now()))
  const [input, setInput] = useState(saved?.searchTerm ?? '')
  const [term, setTerm] = useState(saved?.hasSearched === true ? saved.searchTerm : '')

  const search = useQuery(
    api.podcasts.search.queryOptions({
      input: term === '' ? skipToken : { term },
      staleTime: savedSearchLifetimeMs,
      ...(saved !== null && saved.searchTerm === term
        ? { initialData: { feeds: saved.searchResults }, initialDataUpdatedAt: saved.timestamp }
        : {}),
    }),
  )

  useEffect(() => {
    const typed = input.trim()
    if (typed === term || !searchesByItself(input)) return
    const timer = setTimeout(() => setTerm(typed), searchDebounceMs)
    return () => clearTimeout(timer)
  }, [input, term])

  const { data, dataUpdatedAt } = search
  useEffect(() => {
    if (data === undefined || term === '') return
    saveSearch(window.localStorage, {
      searchTerm: term,
      searchResults: data.feeds,
      hasSearched: true,
      timestamp: dataUpdatedAt,
    })
  }, [data, dataUpdatedAt, term])

  const changeInput = (value: string) => {
    setInput(value)
    if (value.trim() !== '') return
    setTerm('')
    forgetSearch(window.localStorage)
  }

  const searchNow = () => {
    const typed = input.trim()
    if (typed === term && term !== '') void search.refetch()
    else setTerm(typed)
  }

  return {
    input,
    changeInput,
    searchNow,
    hasSearched: term !== '',
    feeds: term === '' ? undefined : data?.feeds,
    isSearching: search.isFetching && term !== '',
    error: search.error,
  }
}
