import type { Feed } from '@earmark/contracts/podcasts'

/** Spec section 3, "Saved search state". */
export type SavedSearch = {
  searchTerm: string
  searchResults: Feed[]
  hasSearched: boolean
  /** Unix time, milliseconds. */
  timestamp: number
}

export const savedSearchKey = 'earmark-search'
export const savedSearchLifetimeMs = 30 * 60_000

function isSavedSearch(value: unknown): value is SavedSearch {
  if (typeof value !== 'object' || value === null) return false
  const saved = value as Partial<Record<keyof SavedSearch, unknown>>
  return (
    typeof saved.searchTerm === 'string' &&
    Array.isArray(saved.searchResults) &&
    typeof saved.hasSearched === 'boolean' &&
    typeof saved.timestamp === 'number'
  )
}

/** The last search, or null where there is none, it is older than 30 minutes, or the storage is not ours to read. */
export function readSavedSearch(storage: Storage, nowMs: number): SavedSearch | null {
  try {
    const saved: unknown = JSON.parse(storage.getItem(savedSearchKey) ?? 'null')
    return isSavedSearch(saved) && nowMs - saved.timestamp < savedSearchLifetimeMs ? saved : null
  } catch {
    return null
  }
}

export function saveSearch(storage: Storage, search: SavedSearch): void {
  try {
    storage.setItem(savedSearchKey, JSON.stringify(search))
  } catch {
    // A full or blocked storage costs the convenience, not the search.
  }
}

export function forgetSearch(storage: Storage): void {
  try {
    storage.removeItem(savedSearchKey)
  } catch {
    // See saveSearch.
  }
}
