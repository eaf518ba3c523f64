import { describe, expect, it } from 'vitest'
import { quoteFinder, withRealQuotes } from './quotes.ts'

const text =
  'The well-known keeper’s log—kept since 1911—says: “fog, fog, and more fog.” He wrote it\nhimself! ' +
  'Don’t read it aloud. 彼は灯台の日誌を毎日書きました。 ÅNGSTRÖM measured 3.5 metres of it.'
const find = quoteFinder(text)

describe('a quote is found', () => {
  it.each([
    ['letter for letter', 'He wrote it\nhimself!', 'He wrote it\nhimself!'],
    ['in another case', 'HE WROTE IT HIMSELF', 'He wrote it\nhimself!'],
    ['with other spaces', 'He  wrote\tit himself', 'He wrote it\nhimself!'],
    ['with other quotation marks', '"fog, fog, and more fog"', 'fog, fog, and more fog.'],
    ['with a straight apostrophe', "keeper's log - kept since 1911", 'keeper’s log—kept since 1911'],
    ['with other dashes', 'log – kept since 1911 – says', 'log—kept since 1911—says'],
    ['without its hyphen', 'the well known keepers log', 'The well-known keeper’s log'],
    ['with other punctuation', 'fog; fog… and more, fog', 'fog, fog, and more fog.'],
    ['across sentences', 'more fog. He wrote it', 'more fog.” He wrote it'],
    [
      'in another composition of its letters',
      'A\u030angstro\u0308m measured 3.5 metres',
      'ÅNGSTRÖM measured 3.5 metres',
    ],
    ['where words have no spaces', '灯台の日誌を毎日書きました', '灯台の日誌を毎日書きました'],
  ])('%s', (_, quote, own) => {
    expect(find(quote)).toBe(own)
    expect(text).toContain(own)
  })
})

describe('a quote is dropped', () => {
  it.each([
    ['that nobody says', 'He was afraid of the dark.'],
    ['with one word changed', 'He wrote it yourself'],
    ['with a word left out', 'fog, and more fog he wrote himself'],
    ['that begins within a word', 'ell-known keeper’s log'],
    ['that ends within a word', 'kept since 1911 say'],
    ['of two words', 'more fog'],
    ['of one number', '3.5'],
    ['of punctuation alone', '— … “”'],
    ['that is empty', ''],
  ])('%s', (_, quote) => {
    expect(find(quote)).toBeNull()
  })

  it('without losing the point that it was for', () => {
    const content = { highlights: [{ point: 'A quote', quote: 'nobody says this' }], quotes: ['left alone'] }
    expect(withRealQuotes(content, find)).toEqual({
      highlights: [{ point: 'A quote', quote: null }],
      quotes: ['left alone'],
    })
  })
})
