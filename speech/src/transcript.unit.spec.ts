import { describe, expect, it } from 'vitest'
import { segmentsOf, tidyText, tidyWords, type Word } from './transcript.ts'

const spoken = (text: string, secondsEach = 0.5): Word[] =>
  text.split(' ').map((word, index) => ({ word, start: index * secondsEach, end: (index + 1) * secondsEach }))

const textsOf = (text: string, secondsEach?: number) =>
  segmentsOf(spoken(text, secondsEach), text).map((segment) => segment.text)

describe('segmentsOf', () => {
  it('makes one segment of each sentence, from its first word to its last', () => {
    const text = 'Look at the leaves. Are they dry?'
    expect(segmentsOf(spoken(text), text)).toEqual([
      { text: 'Look at the leaves.', start: 0, end: 2 },
      { text: 'Are they dry?', start: 2, end: 3.5 },
    ])
  })

  it('does not end a sentence at an abbreviation or an initial', () => {
    expect(textsOf('I met Dr. J. Smith today. He left.')).toEqual(['I met Dr. J. Smith today.', 'He left.'])
  })

  it('ends a sentence after a closing quote', () => {
    expect(textsOf('"Go." She went.')).toEqual(['"Go."', 'She went.'])
  })

  it('cuts at a long pause', () => {
    const words = [
      { word: 'one', start: 0, end: 1 },
      { word: 'two', start: 4, end: 5 },
    ]
    expect(segmentsOf(words, 'one two')).toEqual([
      { text: 'one', start: 0, end: 1 },
      { text: 'two', start: 4, end: 5 },
    ])
  })

  it('cuts speech that has no sentence end after thirty seconds', () => {
    expect(textsOf(Array(70).fill('word').join(' '), 1).map((text) => text.split(' ').length)).toEqual([
      30, 30, 10,
    ])
  })

  it('keeps the text of a script that puts no spaces between words', () => {
    const words = [
      { word: '你好', start: 0, end: 1 },
      { word: '世界。', start: 1, end: 2 },
    ]
    expect(segmentsOf(words, '你好世界。').map(({ text }) => text)).toEqual(['你好世界。'])
  })

  it('has no segment where nothing was said', () => {
    expect(segmentsOf([], '')).toEqual([])
  })
})

describe('tidyWords', () => {
  it('drops empty words and what stands for silence', () => {
    const raw = [
      { word: '', start: 0, end: 0.1 },
      { word: '[BLANK_AUDIO]', start: 0.1, end: 1 },
      { word: 'Hello', start: 1, end: 2 },
    ]
    expect(tidyWords(raw, 3)).toEqual([{ word: 'Hello', start: 1, end: 2 }])
  })

  it('puts times in order and within the audio', () => {
    const raw = [
      { word: 'a', start: 1, end: 2 },
      { word: 'b', start: 0.5, end: 0.7 },
      { word: 'c', start: 9, end: 12 },
    ]
    expect(tidyWords(raw, 10)).toEqual([
      { word: 'a', start: 1, end: 2 },
      { word: 'b', start: 1, end: 1 },
      { word: 'c', start: 9, end: 10 },
    ])
  })
})

describe('tidyText', () => {
  it('is empty for silence', () => {
    expect(tidyText(' [BLANK_AUDIO]')).toBe('')
  })
})
