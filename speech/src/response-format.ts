import type { Segment, Transcript } from './transcript.ts'

export const responseFormats = ['json', 'verbose_json', 'text', 'srt', 'vtt'] as const
export type ResponseFormat = (typeof responseFormats)[number]
export type Granularity = 'segment' | 'word'

/** The transcript as OpenAI's endpoint answers it, with its content type. */
export const render = (
  transcript: Transcript,
  format: ResponseFormat,
  granularities: readonly Granularity[],
): { contentType: string; body: string } => {
  switch (format) {
    case 'json':
      return asJson({ text: transcript.text })
    case 'verbose_json':
      return asJson(verbose(transcript, granularities))
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${transcript.text}\n` }
    case 'srt':
      return { contentType: 'application/x-subrip; charset=utf-8', body: subtitles(transcript.segments, ',') }
    case 'vtt':
      return {
        contentType: 'text/vtt; charset=utf-8',
        body: `WEBVTT\n\n${subtitles(transcript.segments, '.')}`,
      }
  }
}

const asJson = (value: unknown) => ({ contentType: 'application/json', body: JSON.stringify(value) })

// The log probabilities of OpenAI's segments are left out: this runtime does not tell them.
const verbose = (
  { text, language, durationSeconds, segments, words }: Transcript,
  granularities: readonly Granularity[],
) => ({
  task: 'transcribe',
  language,
  duration: durationSeconds,
  text,
  ...(granularities.includes('segment') && {
    segments: segments.map((segment, id) => ({ id, seek: 0, ...segment })),
  }),
  ...(granularities.includes('word') && { words }),
})

const subtitles = (segments: readonly Segment[], decimalMark: ',' | '.') =>
  segments
    .map(({ text, start, end }, index) => {
      const counter = decimalMark === ',' ? `${index + 1}\n` : ''
      return `${counter}${timestamp(start, decimalMark)} --> ${timestamp(end, decimalMark)}\n${text}\n\n`
    })
    .join('')

const timestamp = (seconds: number, decimalMark: string) => {
  const milliseconds = Math.round(seconds * 1000)
  const part = (value: number, width: number) => String(Math.trunc(value)).padStart(width, '0')
  const clock = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60]
  return `${clock.map((value) => part(value, 2)).join(':')}${decimalMark}${part(milliseconds % 1000, 3)}`
}
