import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type MpegFrame, mpegFrames } from '../transcription/mpeg-frames.ts'

/** Seconds from the clip's start. */
export type Timed = { start: number; end: number; text: string }

type Sentence = Timed & { words: Timed[] }

/** A recording of the sample shows, with the words that are said in it. */
export type Clip = {
  /** `<show>/<episode>`, as below `media/`. */
  name: string
  path: string
  bytes: Buffer
  frames: MpegFrame[]
  durationSeconds: number
  sentences: Sentence[]
}

const scriptSchema = z.object({
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).min(1),
})

const mediaFolder = join(import.meta.dirname, '../../media')

/** Reads every sample recording beside its script (`media/generate.py` makes both). */
export function readClips(): Map<string, Clip> {
  const scripts = readdirSync(mediaFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
  return new Map(
    scripts.map((script) => script.slice(0, -'.json'.length)).map((name) => [name, readClip(name)]),
  )
}

function readClip(name: string): Clip {
  const path = join(mediaFolder, `${name}.mp3`)
  const bytes = readFileSync(path)
  const frames = mpegFrames(bytes)
  const script = scriptSchema.parse(JSON.parse(readFileSync(join(mediaFolder, `${name}.json`), 'utf8')))
  return {
    name,
    path,
    bytes,
    frames,
    durationSeconds: frames.reduce((sum, frame) => sum + frame.durationSeconds, 0),
    sentences: script.segments.map((segment) => ({ ...segment, words: timeWords(segment) })),
  }
}

const commaPauseInLetters = 4

/** Shares a sentence's time out among its words: by their letters, with a rest after a comma. */
export function timeWords({ start, end, text }: Timed): Timed[] {
  const words = text.split(/\s+/).filter(Boolean)
  const spoken = words.map((word) => word.length + 1)
  const rests = words.map((word, index) =>
    /[,:;]$/.test(word) && index < words.length - 1 ? commaPauseInLetters : 0,
  )
  const total = [...spoken, ...rests].reduce((sum, letters) => sum + letters, 0)
  const secondsPerLetter = (end - start) / total

  let at = start
  return words.map((word, index) => {
    const from = at
    const to = from + (spoken[index] ?? 0) * secondsPerLetter
    at = to + (rests[index] ?? 0) * secondsPerLetter
    return { start: from, end: to, text: word }
  })
}
