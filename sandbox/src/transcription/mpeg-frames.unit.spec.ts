import { expect, test } from 'vitest'
import { mpegFrames } from './mpeg-frames.ts'

/** An MPEG-2 Layer III frame: mono, 22,050 Hz, 64 kbit/s, 208 bytes. */
function frame(fill: number): Buffer {
  const bytes = Buffer.alloc(208, fill)
  bytes.writeUInt32BE(0xfff380c4)
  return bytes
}

function infoFrame(): Buffer {
  const bytes = frame(0)
  bytes.write('Xing', 13, 'latin1')
  return bytes
}

/** A tag that holds what looks like frames, as a picture may. */
const id3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x03\x20', 'latin1'), frame(8), frame(9)])
const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125)])

test('finds the frames between the tags, without the muxer’s own first frame', () => {
  const file = Buffer.concat([id3, infoFrame(), frame(1), frame(2), id3v1])
  expect(mpegFrames(file).map(({ bytes }) => bytes.at(-1))).toEqual([1, 2])
})

test('knows how long a frame sounds', () => {
  expect(mpegFrames(frame(1))[0]?.durationSeconds).toBeCloseTo(576 / 22_050, 9)
})

test('reads on after junk between two frames', () => {
  const file = Buffer.concat([frame(1), frame(2), Buffer.from('junk'), frame(3), frame(4)])
  expect(mpegFrames(file).map(({ bytes }) => bytes.at(-1))).toEqual([1, 3, 4])
})

test('leaves out a last frame that is cut off', () => {
  const file = Buffer.concat([frame(1), frame(2), frame(3)]).subarray(0, 3 * 208 - 1)
  expect(mpegFrames(file)).toHaveLength(2)
})

test('finds nothing in what is no MP3', () => {
  expect(mpegFrames(Buffer.alloc(0))).toEqual([])
  expect(mpegFrames(Buffer.alloc(5000, 0xff))).toEqual([])
  expect(mpegFrames(Buffer.from('<!doctype html><p>Moved'))).toEqual([])
})
