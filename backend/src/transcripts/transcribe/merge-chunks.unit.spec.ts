import { describe, expect, it } from 'vitest'
import { planChunks } from './audio-file.ts'
import type { HeardChunk } from './heard-chunk.ts'
import { mergeChunks } from './merge-chunks.ts'

const story = (
  'The inspector came twice a year and he read only what was in the blue book. So the blue book was tidy. ' +
  'Weather, oil, ships. Nothing that would have made trouble for anyone. Every keeper wrote the night down twice. ' +
  'One book for the harbour, and one for the keeper who came after. The second book was never inspected.'
).split(' ')
const secondsPerWord = 0.5

/** What a provider hears between two times: sentences as segments, each word half a second, times `off` by a little. */
function heard(startSeconds: number, endSeconds: number, off = 0): HeardChunk {
  const words = story
    .map((text, index) => ({ text, startSeconds: index * secondsPerWord }))
    .filter((word) => word.startSeconds >= startSeconds && word.startSeconds + secondsPerWord <= endSeconds)
  const segments: HeardChunk['segments'] = []
  let sentence: typeof words = []
  for (const word of words) {
    sentence.push(word)
    if (/\.$/.test(word.text) || word === words.at(-1)) {
      segments.push({
        startSeconds: (sentence[0]?.startSeconds ?? 0) + off,
        endSeconds: word.startSeconds + secondsPerWord + off,
        text: sentence.map(({ text }) => text).join(' '),
      })
      sentence = []
    }
  }
  return {
    startSeconds,
    endSeconds,
    segments,
    words: words.map((word) => ({
      text: word.text.replace(/[.,]/g, ''),
      startSeconds: word.startSeconds + off,
    })),
  }
}

describe('merging chunks that overlap', () => {
  it.each([0, 0.6, -0.6])('says each word once when the second chunk hears its times %d s off', (off) => {
    const merged = mergeChunks([heard(0, 15), heard(10, 30, off)])
    expect(merged.text).toBe(story.join(' '))
    expect(merged.wordCount).toBe(story.length)
  })

  it('makes one sentence again of one that the seam cut', () => {
    const merged = mergeChunks([heard(0, 12), heard(7, 30)])
    expect(merged.segments.map((segment) => segment.text)).toEqual(story.join(' ').split(/(?<=\.) /))
    for (const [index, segment] of merged.segments.entries()) {
      expect(segment.end_seconds).toBeGreaterThan(segment.start_seconds)
      expect(segment.start_seconds).toBeGreaterThanOrEqual(merged.segments[index - 1]?.start_seconds ?? 0)
    }
  })

  it('cuts in the middle of the overlap where both heard something else', () => {
    const first = heard(0, 15)
    const second = heard(10, 30)
    second.segments = second.segments.map((segment) => ({
      ...segment,
      text: segment.text.replace(/\w+/g, 'noise'),
    }))
    second.words = []
    const { text } = mergeChunks([first, second])
    expect(text.startsWith(story.slice(0, 25).join(' '))).toBe(true)
    expect(text).toContain('noise')
  })

  it('takes a text without times as it is', () => {
    const chunk = {
      startSeconds: 0,
      endSeconds: 10,
      words: [],
      segments: [{ startSeconds: 0, endSeconds: 10, text: 'just words' }],
    }
    expect(mergeChunks([chunk])).toMatchObject({ text: 'just words', wordCount: 2 })
  })

  it('hears nothing in silence', () => {
    expect(mergeChunks([{ startSeconds: 0, endSeconds: 10, words: [], segments: [] }])).toEqual({
      segments: [],
      text: '',
      wordCount: 0,
    })
  })
})

describe('where to cut', () => {
  it('leaves a short episode whole', () => {
    expect(planChunks(200, 300, 2_000_000)).toEqual([{ startSeconds: 0, endSeconds: 200 }])
  })

  it('covers every second of ten hours, with an overlap at each seam', () => {
    const chunks = planChunks(36_000, 300, 288_000_000)
    expect(chunks).toHaveLength(120)
    for (const [index, chunk] of chunks.entries()) {
      const next = chunks[index + 1]
      if (next) expect(chunk.endSeconds - next.startSeconds).toBe(5)
    }
    expect(chunks.at(-1)?.endSeconds).toBe(36_000)
  })

  it('keeps every chunk below what a provider takes, however dense the audio', () => {
    const bytes = 600_000_000
    for (const chunk of planChunks(3400, 300, bytes)) {
      expect(((chunk.endSeconds - chunk.startSeconds) * bytes) / 3400).toBeLessThan(25_000_000)
    }
  })
})
