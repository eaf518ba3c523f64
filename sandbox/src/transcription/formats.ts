import { type Reply, json, text } from '../http/reply.ts'
import type { Transcript } from './transcript.ts'

export const responseFormats = ['json', 'verbose_json', 'text', 'srt', 'vtt'] as const
export type ResponseFormat = (typeof responseFormats)[number]
export type Granularity = 'segment' | 'word'

/** The transcript as OpenAI's API writes it. */
export function written(
  transcript: Transcript,
  format: ResponseFormat,
  granularities: readonly Granularity[],
): Reply {
  const usage = { type: 'duration', seconds: Math.ceil(transcript.durationSeconds) }
  switch (format) {
    case 'json':
      return json(200, { text: transcript.text, usage })
    case 'verbose_json':
      return json(200, { ...verbose(transcript, granularities), usage })
    case 'text':
      return text(200, `${transcript.text}\n`)
    case 'srt':
      return text(200, subtitles(transcript, ',', true))
    case 'vtt':
      return text(200, `WEBVTT\n\n${subtitles(transcript, '.', false)}`)
  }
}

function verbose(transcript: Transcript, granularities: readonly Granularity[]) {
  const segments = transcript.segments.map(({ start, end, text: said }, id) => ({
    id,
    seek: 0,
    start,
    end,
    text: ` ${said}`,
    tokens: [],
    temperature: 0,
    avg_logprob: 0,
    compression_ratio: 1,
    no_speech_prob: 0,
  }))
  // The vendor's words come without the punctuation around them.
  const words = transcript.words.map(({ start, end, text: said }) => ({
    word: said.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
    start,
    end,
  }))
  return {
    task: 'transcribe',
    language: 'english',
    duration: transcript.durationSeconds,
    text: transcript.text,
    ...(granularities.includes('segment') ? { segments } : {}),
    ...(granularities.includes('word') ? { words } : {}),
  }
}

function subtitles({ segments }: Transcript, decimalMark: string, areNumbered: boolean): string {
  return segments
    .map(({ start, end, text: said }, index) => {
      const times = `${clock(start, decimalMark)} --> ${clock(end, decimalMark)}`
      return `${areNumbered ? `${index + 1}\n` : ''}${times}\n${said}\n`
    })
    .join('\n')
}

function clock(seconds: number, decimalMark: string): string {
  const milliseconds = Math.round(seconds * 1000)
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0')
  const hours = part(milliseconds / 3_600_000, 2)
  const minutes = part((milliseconds / 60_000) % 60, 2)
  return `${hours}:${minutes}:${part((milliseconds / 1000) % 60, 2)}${decimalMark}${part(milliseconds % 1000, 3)}`
}
