import { exampleFeeds } from '@earmark/contracts/examples'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  forgetSearch,
  readSavedSearch,
  saveSearch,
  type SavedSearch,
  savedSearchKey,
} from './saved-search.ts'

const savedAt = Date.UTC(2026, 10, 21, 12)
const thirtyMinutesMs = 30 * 60 * 1000
const search: SavedSearch = {
  searchTerm: 'harbour',
  searchResults: [...exampleFeeds],
  hasSearched: true,
  timestamp: savedAt,
}

function storageOf(content = new Map<string, string>()): Storage {
  return {
    get length() {
      return content.size
    },
    key: (index) => [...content.keys()][index] ?? null,
    getItem: (key) => content.get(key) ?? null,
    setItem: (key, value) => void content.set(key, value),
    removeItem: (key) => void content.delete(key),
    clear: () => content.clear(),
  }
}

describe('the saved search', () => {
  let storage: Storage
  beforeEach(() => {
    storage = storageOf()
  })

  it('comes back as it was left', () => {
    saveSearch(storage, search)
    expect(readSavedSearch(storage, savedAt + thirtyMinutesMs - 1)).toEqual(search)
  })

  it('expires after 30 minutes', () => {
    saveSearch(storage, search)
    expect(readSavedSearch(storage, savedAt + thirtyMinutesMs)).toBeNull()
  })

  it('is gone once forgotten', () => {
    saveSearch(storage, search)
    forgetSearch(storage)
    expect(readSavedSearch(storage, savedAt)).toBeNull()
  })

  it.each(['', '{', '[]', '{"searchTerm":3}'])('is nothing where the storage holds %j', (content) => {
    storage.setItem(savedSearchKey, content)
    expect(readSavedSearch(storage, savedAt)).toBeNull()
  })

  it('does without a storage that refuses', () => {
    const refusing = new Proxy(storage, {
      get: () => {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    expect(() => {
      saveSearch(refusing, search)
      forgetSearch(refusing)
    }).not.toThrow()
    expect(readSavedSearch(refusing, savedAt)).toBeNull()
  })
})
