import { stat } from 'node:fs/promises'
import {
  ALL_FORMATS,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FilePathSource,
  FilePathTarget,
  FlacOutputFormat,
  Input,
  type InputAudioTrack,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WavOutputFormat,
} from 'mediabunny'
import { overlapSeconds } from './heard-chunk.ts'

/** No audio, or a kind that cannot be cut; the message is for the user. */
export class UnreadableAudio extends Error {
  override readonly name = 'UnreadableAudio'
}

export type ChunkPlan = { startSeconds: number; endSeconds: number }

/** OpenAI's limit is 25 MB an upload; room is left for stretches that are denser than the average. */
const chunkMaxBytes = 18_000_000

/** A remainder shorter than this goes with the chunk before it. */
const shortestChunkSeconds = 30

/** The real length of a file's audio, counted packet by packet: headers are not trusted. @throws UnreadableAudio */
export async function measureAudio(file: string): Promise<number> {
  return withTrack(file, async (track) => {
    const duration = await track.computeDuration()
    if (!(duration > 0)) throw new UnreadableAudio('There is no sound in this file.')
    return duration
  })
}

/** Where to cut. Each chunk but the first begins a little before the one before it ends. */
export function planChunks(durationSeconds: number, chunkSeconds: number, fileBytes: number): ChunkPlan[] {
  const bytesPerSecond = fileBytes / durationSeconds
  const step = Math.min(chunkSeconds, Math.max(1, chunkMaxBytes / bytesPerSecond - overlapSeconds))
  const count = Math.max(1, Math.ceil((durationSeconds - Math.min(shortestChunkSeconds, step / 2)) / step))
  return Array.from({ length: count }, (_, index) => ({
    startSeconds: Math.max(0, index * step - (index === 0 ? 0 : overlapSeconds)),
    endSeconds: index === count - 1 ? durationSeconds : (index + 1) * step,
  }))
}

/** Cuts at packet boundaries, without decoding. `write` is given each chunk's file ending and a function that fills the file. */
export async function splitAudio(
  file: string,
  plan: (durationSeconds: number, fileBytes: number) => ChunkPlan[],
  write: (index: number, extension: string, fill: (target: string) => Promise<void>) => Promise<void>,
  signal: AbortSignal,
): Promise<ChunkPlan[]> {
  return withTrack(file, async (track) => {
    const { size } = await stat(file)
    const chunks = plan(await track.computeDuration(), size)
    for (const [index, chunk] of chunks.entries()) {
      signal.throwIfAborted()
      const format = await formatOf(track)
      await write(index, format.fileExtension, (target) => copyPackets(track, chunk, format, target))
    }
    return chunks
  })
}

async function copyPackets(
  track: InputAudioTrack,
  chunk: ChunkPlan,
  format: OutputFormat,
  target: string,
): Promise<void> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new UnreadableAudio('This kind of audio cannot be read.')
  const sink = new EncodedPacketSink(track)
  const source = new EncodedAudioPacketSource(codec)
  const output = new Output({ format, target: new FilePathTarget(target) })
  output.addAudioTrack(source)
  await output.start()
  try {
    const first = (await sink.getKeyPacket(chunk.startSeconds)) ?? (await sink.getFirstPacket())
    if (!first) throw new UnreadableAudio('There is no sound in this file.')
    for await (const packet of sink.packets(first)) {
      if (packet.timestamp >= chunk.endSeconds) break
      await source.add(packet.clone({ timestamp: Math.max(0, packet.timestamp - first.timestamp) }), {
        decoderConfig,
      })
    }
    await output.finalize()
  } catch (error) {
    await output.cancel()
    throw error
  }
}

async function formatOf(track: InputAudioTrack): Promise<OutputFormat> {
  const codec = await track.getCodec()
  switch (codec) {
    case 'mp3':
      return new Mp3OutputFormat()
    case 'aac':
      return new Mp4OutputFormat({ fastStart: 'in-memory' })
    case 'opus':
    case 'vorbis':
      return new OggOutputFormat()
    case 'flac':
      return new FlacOutputFormat()
    case 'pcm-s16':
    case 'pcm-s24':
    case 'pcm-s32':
    case 'pcm-f32':
    case 'pcm-u8':
      return new WavOutputFormat()
    default:
      throw new UnreadableAudio(`Audio of the kind ${codec ?? 'unknown'} cannot be read.`)
  }
}

async function withTrack<T>(file: string, work: (track: InputAudioTrack) => Promise<T>): Promise<T> {
  const input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS })
  try {
    const track = await input.getPrimaryAudioTrack().catch(() => null)
    if (!track) throw new UnreadableAudio('This file is no audio that can be read.')
    return await work(track)
  } finally {
    input.dispose()
  }
}
