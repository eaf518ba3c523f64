/** One MPEG audio Layer III frame; `bytes` is a view, not a copy. */
export type MpegFrame = { bytes: Buffer; durationSeconds: number }

// ISO/IEC 11172-3 and 13818-3, table of the Layer III bit rates, in kbit/s.
const bitRates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRates = [44100, 48000, 32000]

type Header = { lengthBytes: number; durationSeconds: number; sideInfoBytes: number }

/**
 * The audio frames of an MP3 in their order. Tags, junk between frames, a last frame that is cut off and the
 * Xing, Info or VBRI frame that a muxer puts first are left out.
 */
export function mpegFrames(file: Buffer): MpegFrame[] {
  const frames: MpegFrame[] = []
  let offset = afterId3(file)

  while (offset + 4 <= file.length) {
    const header = readHeader(file, offset)
    if (!header || !isFollowedByFrame(file, offset + header.lengthBytes)) {
      offset += 1
      continue
    }
    const bytes = file.subarray(offset, offset + header.lengthBytes)
    offset += header.lengthBytes
    if (isInfoFrame(bytes, header)) continue
    frames.push({ bytes, durationSeconds: header.durationSeconds })
  }
  return frames
}

function afterId3(file: Buffer): number {
  if (file.length < 10 || file.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (file.readUInt8(at) & 0x7f), 0)
  const hasFooter = (file.readUInt8(5) & 0x10) !== 0
  return 10 + size + (hasFooter ? 10 : 0)
}

function isFollowedByFrame(file: Buffer, offset: number): boolean {
  if (offset > file.length) return false
  const isAtEnd = offset + 4 > file.length || file.toString('latin1', offset, offset + 3) === 'TAG'
  return isAtEnd || readHeader(file, offset) !== undefined
}

function readHeader(file: Buffer, offset: number): Header | undefined {
  const word = file.readUInt32BE(offset)
  const version = (word >>> 19) & 3 // 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5
  const isSync = word >>> 21 === 0x7ff
  const isLayer3 = ((word >>> 17) & 3) === 1
  if (!isSync || !isLayer3 || version === 1) return undefined

  const isMpeg1 = version === 3
  const kilobitsPerSecond = bitRates[isMpeg1 ? 'mpeg1' : 'mpeg2'][(word >>> 12) & 15]
  const baseRate = sampleRates[(word >>> 10) & 3]
  if (!kilobitsPerSecond || !baseRate) return undefined

  const sampleRate = baseRate / (isMpeg1 ? 1 : version === 2 ? 2 : 4)
  const samples = isMpeg1 ? 1152 : 576
  const padding = (word >>> 9) & 1
  const isMono = ((word >>> 6) & 3) === 3
  return {
    lengthBytes: Math.floor((samples * kilobitsPerSecond * 125) / sampleRate) + padding,
    durationSeconds: samples / sampleRate,
    sideInfoBytes: isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  }
}

function isInfoFrame(bytes: Buffer, { sideInfoBytes }: Header): boolean {
  const xing = bytes.toString('latin1', 4 + sideInfoBytes, 8 + sideInfoBytes)
  return xing === 'Xing' || xing === 'Info' || bytes.toString('latin1', 36, 40) === 'VBRI'
}
