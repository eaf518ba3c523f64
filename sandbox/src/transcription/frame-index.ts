import { hash } from 'node:crypto'
import type { Clip } from '../catalogue/clip.ts'
import type { MpegFrame } from './mpeg-frames.ts'

/** Where each frame of the sample recordings lies: a frame's hash to its places, as `clip * clipStride + frame`. */
export type FrameIndex = { clips: readonly Clip[]; placesByHash: ReadonlyMap<string, readonly number[]> }

/** A run of a clip's frames. */
export type Run = { clip: Clip; firstFrame: number; frameCount: number }

const clipStride = 2 ** 24
// A muxer may add or lose a frame at an edge; more that is strange means that the audio is another.
const leastShareRecognised = 0.9

export function indexFrames(clips: Iterable<Clip>): FrameIndex {
  const ordered = [...clips]
  const placesByHash = new Map<string, number[]>()
  for (const [clipNumber, { frames }] of ordered.entries()) {
    for (const [frameNumber, frame] of frames.entries()) {
      const key = hashOf(frame)
      const places = placesByHash.get(key)
      const place = clipNumber * clipStride + frameNumber
      if (places) places.push(place)
      else placesByHash.set(key, [place])
    }
  }
  return { clips: ordered, placesByHash }
}

/**
 * Finds the frames in the recordings by their longest unbroken run, since one frame of silence is like another.
 * Undefined when that run is not nearly all of them.
 */
export function recognise(
  { clips, placesByHash }: FrameIndex,
  frames: readonly MpegFrame[],
): Run | undefined {
  let longest = { lastPlace: -1, length: 0 }
  let runsByLastPlace = new Map<number, number>()

  for (const frame of frames) {
    const extended = new Map<number, number>()
    for (const place of placesByHash.get(hashOf(frame)) ?? []) {
      const length = (runsByLastPlace.get(place - 1) ?? 0) + 1
      extended.set(place, length)
      if (length > longest.length) longest = { lastPlace: place, length }
    }
    runsByLastPlace = extended
  }

  const clip = clips[Math.floor(longest.lastPlace / clipStride)]
  if (!clip || longest.length < frames.length * leastShareRecognised) return undefined
  return {
    clip,
    firstFrame: (longest.lastPlace % clipStride) - longest.length + 1,
    frameCount: longest.length,
  }
}

function hashOf({ bytes }: MpegFrame): string {
  return hash('sha1', bytes, 'base64')
}
