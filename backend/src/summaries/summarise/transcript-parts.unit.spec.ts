import { describe, expect, it } from 'vitest'
import { linesOf, partOf, wordCountOf } from './transcript-parts.ts'

const lines = Array.from({ length: 37 }, (_, at) => `${'word '.repeat(1 + (at % 9))}${at}`)

describe('the parts of a transcript', () => {
  it.each([1, 2, 3, 7, 20])('have each line once and in order when there are %i', (parts) => {
    const cut = Array.from({ length: parts }, (_, part) => partOf(lines, part, parts))
    expect(cut.flat()).toEqual(lines)
    for (const part of cut) {
      expect(part.length).toBeGreaterThan(0)
      expect(wordCountOf(part)).toBeLessThanOrEqual(wordCountOf(lines) / parts + 10)
    }
  })

  it('are about as long where words have no spaces between them', () => {
    const unspaced = Array.from({ length: 100 }, () => '彼は灯台の日誌を毎日書きました。')
    expect(wordCountOf(unspaced)).toBe(900)
    expect(partOf(unspaced, 3, 4)).toHaveLength(25)
  })

  it('can be cut where the recogniser knew no segments', () => {
    const whole = { text: 'word '.repeat(1000), segments: null }
    expect(linesOf(whole)).toHaveLength(20)
    expect(linesOf({ ...whole, segments: [] })).toEqual(linesOf(whole))
    expect(wordCountOf(partOf(linesOf(whole), 1, 2))).toBe(500)
  })
})
