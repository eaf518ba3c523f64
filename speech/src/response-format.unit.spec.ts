import { expect, it } from 'vitest'
import { render } from './response-format.ts'

const transcript = {
  text: 'Look. Dry.',
  language: 'english',
  durationSeconds: 3725.5,
  words: [{ word: 'Look.', start: 0.25, end: 1 }],
  segments: [
    { text: 'Look.', start: 0.25, end: 1 },
    { text: 'Dry.', start: 3723.004, end: 3725.5 },
  ],
}

it('answers the text alone as json', () => {
  expect(JSON.parse(render(transcript, 'json', ['segment']).body)).toEqual({ text: 'Look. Dry.' })
})

it('answers verbose_json with the granularities that were asked for and no other', () => {
  const keysFor = (granularities: ('segment' | 'word')[]) =>
    Object.keys(JSON.parse(render(transcript, 'verbose_json', granularities).body) as object)
  expect(keysFor(['segment'])).toEqual(['task', 'language', 'duration', 'text', 'segments'])
  expect(keysFor(['word'])).toEqual(['task', 'language', 'duration', 'text', 'words'])
  expect(keysFor(['word', 'segment'])).toEqual(['task', 'language', 'duration', 'text', 'segments', 'words'])
})

it('answers srt with counters and a decimal comma', () => {
  expect(render(transcript, 'srt', ['segment']).body).toBe(
    '1\n00:00:00,250 --> 00:00:01,000\nLook.\n\n2\n01:02:03,004 --> 01:02:05,500\nDry.\n\n',
  )
})

it('answers vtt with its header and a decimal point', () => {
  expect(render(transcript, 'vtt', ['segment']).body).toBe(
    'WEBVTT\n\n00:00:00.250 --> 00:00:01.000\nLook.\n\n01:02:03.004 --> 01:02:05.500\nDry.\n\n',
  )
})
