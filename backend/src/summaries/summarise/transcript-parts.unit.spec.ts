import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  linesOf,
  mostParts,
  partOf,
  partsFor,
  pointsPerPart,
  wordCountOf,
  wordsInLine,
} from './transcript-parts.ts'

/** Some words of each, with spaces where the script has them. */
const scripts = [
  'the harbour office said what the weather did',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfabrikationsmaschinenersatzteilhändler',
  '彼は灯台の日誌を毎日書きました。二冊ありました。',
  '灯塔看守人写了两本日志没有人问他为什么',
  '등대지기는 두 권의 일지를 썼다',
  'ผู้ดูแลประภาคารเขียนบันทึกสองเล่มและไม่มีใครถามเขาว่าทำไม',
  'អ្នកយាមប៉មភ្លើងសរសេរកំណត់ហេតុពីរ',
  'မီးပြတိုက်စောင့်သည်မှတ်တမ်းနှစ်ခုရေးသည်',
  'كتب حارس المنارة سجلين ولم يسأله أحد لماذا',
  'प्रकाशस्तंभ के रखवाले ने दो लॉग रखे',
  '👩‍👩‍👧‍👦🏳️‍🌈𠮷𩸽',
  'e\u0301\u0300\u0302',
  '\u0301',
  '\u200b',
  '\ud83d',
]
const said = fc
  .array(fc.tuple(fc.constantFrom(...scripts), fc.integer({ min: 1, max: 300 }), fc.boolean()), {
    minLength: 1,
    maxLength: 8,
  })
  .map((runs) =>
    runs.map(([words, times, isSpaced]) => `${words}${isSpaced ? ' ' : ''}`.repeat(times)).join(''),
  )
const transcripts = fc.record({
  text: said,
  segments: fc.option(fc.array(fc.record({ text: said }), { maxLength: 4 })),
})
const withoutSpaces = (text: string) => text.replace(/\s/g, '')

describe('the parts of a transcript', () => {
  it('are all of it, none of them empty and none above the limit, in whatever script', () => {
    fc.assert(
      fc.property(transcripts, fc.integer({ min: 200, max: 3000 }), (transcript, partWords) => {
        const lines = linesOf(transcript)
        const whole = transcript.segments?.length
          ? transcript.segments.map(({ text }) => text).join('')
          : transcript.text
        expect(withoutSpaces(lines.join(''))).toBe(withoutSpaces(whole))
        for (const line of lines) {
          expect(line.trim()).toBe(line)
          expect(line).not.toBe('')
          expect(wordCountOf([line])).toBeLessThanOrEqual(wordsInLine)
        }
        const parts = partsFor(lines, partWords)
        const cut = Array.from({ length: parts }, (_, part) => partOf(lines, part, parts))
        expect(cut.flat()).toEqual(lines)
        // As many parts as the notes of which fit one question suffice.
        const suffice = wordCountOf(lines) <= Math.floor(partWords / 180) * (partWords - wordsInLine)
        const limit = suffice ? partWords : wordCountOf(lines) / parts + wordsInLine
        for (const part of cut) {
          expect(part.length).toBeGreaterThan(0)
          expect(wordCountOf(part)).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })

  it('are cut where there is not one space', () => {
    const lines = linesOf({ text: '', segments: [{ text: '彼は灯台の日誌を毎日書きました。'.repeat(3000) }] })
    const parts = partsFor(lines, 12_000)
    expect(parts).toBe(3)
    for (let part = 0; part < parts; part += 1)
      expect(Math.round(partOf(lines, part, parts).join('').length / 1000)).toBe(16)
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

  it('keep the spaces and the words of a line', () => {
    const text = `Look at https://example.org/${'a-long-way/'.repeat(12)} and  then\tgo on.`
    expect(linesOf({ text, segments: null })).toEqual([text.replaceAll(/\s+/g, ' ')])
  })

  it('are no more than their notes fit one question, and the history of their job', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 200_000 }),
        fc.integer({ min: 1, max: 40_000 }),
        (partWords, lineCount) => {
          const lines = new Array<string>(lineCount).fill('What was said on that evening by the old harbour.')
          const parts = partsFor(lines, partWords)
          expect(parts).toBeLessThanOrEqual(mostParts)
          // A point with its quote is about 60 words; below 360 words in a part it takes two of them all the same.
          const words = parts * pointsPerPart(parts, partWords) * 60
          expect(words).toBeLessThanOrEqual(Math.max(partWords, 360))
        },
      ),
      { numRuns: 30 },
    )
  })
})
