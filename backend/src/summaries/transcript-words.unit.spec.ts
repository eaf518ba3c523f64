import { expect, it } from 'vitest'
import { hasWords } from './transcript-words.ts'

it.each([
  '[BLANK_AUDIO]',
  '(music)',
  '♪ ♪♪',
  ' … - ',
  '*applause* [MUSIC PLAYING] (door closes)',
  '（音楽）',
  '',
])('hears nobody in "%s"', (text) => expect(hasWords(text)).toBe(false))

it.each([
  '[music] Hello.',
  '♪ la la la ♪',
  '(laughs) Yes',
  '42',
  'はい',
  '(unclosed and spoken',
  `(${'said '.repeat(40)})`,
])('hears somebody in "%s"', (text) => expect(hasWords(text)).toBe(true))
