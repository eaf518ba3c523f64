import { expect, test } from 'vitest'
import { timeWords } from './clip.ts'

test('fills a sentence from its start to its end with its words, in order', () => {
  const words = timeWords({ start: 2, end: 6, text: 'The blue book, and another.' })
  expect(words.map(({ text }) => text)).toEqual(['The', 'blue', 'book,', 'and', 'another.'])
  expect(words[0]?.start).toBe(2)
  expect(words.at(-1)?.end).toBeCloseTo(6, 9)
  for (const [index, word] of words.entries()) {
    expect(word.end).toBeGreaterThan(word.start)
    expect(word.start).toBeGreaterThanOrEqual(words[index - 1]?.end ?? 2)
  }
})

test('rests after a comma', () => {
  const [, , book, and] = timeWords({ start: 0, end: 4, text: 'The blue book, and another.' })
  expect((and?.start ?? 0) - (book?.end ?? 0)).toBeGreaterThan(0.3)
})
