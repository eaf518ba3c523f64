import { exampleSegments } from '@earmark/contracts/examples'
import type { Segment } from '@earmark/contracts/transcripts'
import { describe, expect, it } from 'vitest'
import { sampleSegments, sampleSummary } from '../landing/sample.ts'
import { createQuoteFinder, marksOf, type QuotePlace } from './quotes.ts'

const find = createQuoteFinder(exampleSegments)

function wordsAt(segments: readonly Segment[], place: QuotePlace | null): string[] {
  return [...(place?.ranges ?? [])].map(
    ([segment, { from, to }]) => segments[segment]?.text.slice(from, to) ?? '',
  )
}

describe('a quote', () => {
  it('is found with its time and its words', () => {
    const place = find('One book for the harbour, and one for the keeper who came after.')
    expect(place?.startSeconds).toBe(58.1)
    expect(wordsAt(exampleSegments, place)).toEqual([
      'One book for the harbour, and one for the keeper who came after.',
    ])
  })

  it.each(['“ONE BOOK  for the harbour”', 'one book\nfor the harbour…', 'One book for the harbour'])(
    'is found however it is set: %j',
    (quote) => {
      expect(wordsAt(exampleSegments, find(quote))).toEqual(['One book for the harbour,'])
    },
  )

  it('may run over the end of a segment', () => {
    const place = find('who came after. The second book was never inspected')
    expect(place?.startSeconds).toBe(58.1)
    expect(wordsAt(exampleSegments, place)).toEqual([
      'who came after.',
      'The second book was never inspected,',
    ])
  })

  it.each(['Words nobody said', '', '…', '“”'])('that was never said is not found: %j', (quote) => {
    expect(find(quote)).toBeNull()
  })

  it('is found at its place where folding changes the length of a text', () => {
    const segments = [{ start_seconds: 3, end_seconds: 4, text: 'İİ ﬁnd 𝔘𝔫𝔡 it here.' }]
    expect(wordsAt(segments, createQuoteFinder(segments)('find und it'))).toEqual(['ﬁnd 𝔘𝔫𝔡 it'])
  })

  it('is found in a script that sets no spaces', () => {
    const segments = [{ start_seconds: 1, end_seconds: 2, text: '灯台には二冊の日誌があった。' }]
    expect(wordsAt(segments, createQuoteFinder(segments)('二冊の日誌'))).toEqual(['二冊の日誌'])
  })

  it('is found however its accents are written', () => {
    const segments = [{ start_seconds: 1, end_seconds: 2, text: 'Un cafe\u0301 noir.' }]
    expect(wordsAt(segments, createQuoteFinder(segments)('café noir'))).toEqual(['cafe\u0301 noir.'])
  })

  it('is looked for once', () => {
    const quote = 'One book for the harbour'
    expect(find(quote)).toBe(find(quote))
  })

  it('marks once what two quotes share', () => {
    const places = ['The second book was never', 'book was never inspected'].flatMap(
      (quote) => find(quote) ?? [],
    )
    expect(marksOf(places).get(3)).toEqual([{ from: 0, to: 36 }])
  })
})

describe("the landing page's sample", () => {
  it.each(sampleSummary.highlights.map(({ quote }) => quote ?? ''))('quotes what was said: %s', (quote) => {
    expect(createQuoteFinder(sampleSegments)(quote)).not.toBeNull()
  })
})
