import { exampleSegments } from '@earmark/contracts/examples'
import { describe, expect, it } from 'vitest'
import { countHits, segmentAt, splitAtHits, splitAtRanges } from './segments.ts'

describe('the spoken segment', () => {
  it.each([
    [0, -1],
    [41.2, 0],
    [58, 1],
    [58.1, 2],
    [9999, exampleSegments.length - 1],
  ])('at %d s is number %d', (seconds, index) => {
    expect(segmentAt(exampleSegments, seconds)).toBe(index)
  })

  it('is none in an empty transcript', () => {
    expect(segmentAt([], 3)).toBe(-1)
  })
})

describe('a search in the text', () => {
  it('marks every occurrence and loses no letter', () => {
    const parts = splitAtHits('Book after book.', 'BOOK')
    expect(parts.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(['Book', 'book'])
    expect(parts.map(({ text }) => text).join('')).toBe('Book after book.')
  })

  it.each(['', '  ', 'absent'])('for %j marks nothing', (query) => {
    expect(splitAtHits('Book', query)).toEqual([{ text: 'Book', isHit: false }])
  })

  it('does not mark the wrong letters where folding the case changes the length', () => {
    expect(splitAtHits('İİ book', 'book')).toEqual([{ text: 'İİ book', isHit: false }])
  })

  it('counts across segments', () => {
    expect(countHits(['one book', 'two books', 'none'], 'book')).toBe(2)
  })
})

describe('what is quoted in a text', () => {
  it('is marked where it stands, and no letter is lost', () => {
    const parts = splitAtRanges('One book, two books.', [
      { from: 0, to: 9 },
      { from: 14, to: 20 },
    ])
    expect(parts.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(['One book,', 'books.'])
    expect(parts.map(({ text }) => text).join('')).toBe('One book, two books.')
  })

  it('is nothing where nothing is quoted', () => {
    expect(splitAtRanges('Book', [])).toEqual([{ text: 'Book', isHit: false }])
  })
})
