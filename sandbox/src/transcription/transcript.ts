import type { Timed } from '../catalogue/clip.ts'
import type { Run } from './frame-index.ts'

/** What is said in a run of frames; times are in seconds from the run's start. */
export type Transcript = { durationSeconds: number; text: string; segments: Timed[]; words: Timed[] }

/** The words whose middle lies in the run, so that runs laid end to end hold each word once. */
export function transcriptOf({ clip, firstFrame, frameCount }: Run): Transcript {
  const frameSeconds = clip.durationSeconds / clip.frames.length
  const runStart = firstFrame * frameSeconds
  const durationSeconds = frameCount * frameSeconds
  const fromRunStart = (seconds: number) =>
    rounded(Math.min(Math.max(seconds - runStart, 0), durationSeconds))
  const isInRun = ({ start, end }: Timed) => {
    const middle = (start + end) / 2 - runStart
    return middle >= 0 && middle < durationSeconds
  }

  const sentences = clip.sentences
    .map(({ words }) =>
      words.filter(isInRun).map((word) => ({
        start: fromRunStart(word.start),
        end: fromRunStart(word.end),
        text: word.text,
      })),
    )
    .filter((words) => words.length > 0)
  const segments = sentences.map((words) => ({
    start: words[0]?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    text: words.map(({ text }) => text).join(' '),
  }))
  return {
    durationSeconds: rounded(durationSeconds),
    text: segments.map(({ text }) => text).join(' '),
    segments,
    words: sentences.flat(),
  }
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
