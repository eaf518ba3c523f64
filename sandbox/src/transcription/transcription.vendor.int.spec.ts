import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  Mp3OutputFormat,
  Output,
} from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Clip, readClips, type Timed } from '../catalogue/clip.ts'
import { type Sandbox, startSandbox } from '../server.ts'

const clips = readClips()
let sandbox: Sandbox
beforeAll(async () => (sandbox = await startSandbox({ port: 0 })))
afterAll(() => sandbox.close())

type Verbose = { duration: number; text: string; segments?: Timed[]; words?: (Timed & { word: string })[] }

function clip(name: string): Clip {
  const found = clips.get(name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

const lighthouses = clip('harbour-log/why-lighthouses-kept-two-logs')
const frameSeconds = lighthouses.durationSeconds / lighthouses.frames.length
const wholeText = lighthouses.sentences.map(({ text }) => text).join(' ')

/** Cuts as the product does: packets from the first at `start` up to the one at `end`, in a file of their own. */
async function cut(source: Buffer, start: number, end: number): Promise<Buffer> {
  const input = new Input({ source: new BufferSource(source), formats: ALL_FORMATS })
  const track = await input.getPrimaryAudioTrack()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !decoderConfig) throw new Error('no track')
  const sink = new EncodedPacketSink(track)
  const packets = new EncodedAudioPacketSource('mp3')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp3OutputFormat(), target })
  output.addAudioTrack(packets)
  await output.start()
  const first = await sink.getKeyPacket(start)
  if (!first) throw new Error('no packet')
  for await (const packet of sink.packets(first)) {
    if (packet.timestamp >= end) break
    await packets.add(packet.clone({ timestamp: packet.timestamp - first.timestamp }), { decoderConfig })
  }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

function post(file: Buffer | undefined, fields: [string, string][] = []): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of [['model', 'whisper-1'], ...fields] as const) form.append(name, value)
  if (file) form.append('file', new Blob([new Uint8Array(file)], { type: 'audio/mpeg' }), 'chunk.mp3')
  return fetch(`${sandbox.url}/openai/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer any' },
    body: form,
  })
}

const verboseWords: [string, string][] = [
  ['response_format', 'verbose_json'],
  ['timestamp_granularities[]', 'word'],
  ['timestamp_granularities[]', 'segment'],
]

async function heard(file: Buffer): Promise<Verbose> {
  const answer = await post(file, verboseWords)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Verbose
}

test('gives a whole episode word by word', async () => {
  const { text, duration, segments, words } = await heard(lighthouses.bytes)
  expect(text).toBe(wholeText)
  expect(duration).toBeCloseTo(lighthouses.durationSeconds, 2)
  expect(segments?.length).toBe(lighthouses.sentences.length)
  expect(words?.length).toBe(wholeText.split(' ').length)
  expect(words?.slice(0, 6).map(({ word }) => word)).toEqual(['This', 'is', 'the', 'Harbour', 'Log', 'and'])
})

test('gives a chunk that mediabunny made exactly its own words, timed from its start', async () => {
  const chunk = await cut(lighthouses.bytes, 40, 70)
  const { duration, text, words = [] } = await heard(chunk)
  const start = Math.floor(40 / frameSeconds + 1e-6) * frameSeconds
  const end = Math.ceil(70 / frameSeconds - 1e-6) * frameSeconds
  expect(duration).toBeCloseTo(end - start, 2)

  const own = lighthouses.sentences
    .flatMap((sentence) => sentence.words)
    .filter((word) => (word.start + word.end) / 2 >= start && (word.start + word.end) / 2 < end)
  expect(own.length).toBeGreaterThan(50)
  expect(text).toBe(own.map((word) => word.text).join(' '))
  expect(words).toHaveLength(own.length)
  for (const [index, word] of words.entries()) {
    const original = own[index]
    expect(word.start).toBeCloseTo(Math.max(0, (original?.start ?? 0) - start), 2)
    expect(word.end).toBeLessThanOrEqual(duration)
  }
})

test('gives chunks laid end to end each word once', async () => {
  const texts: string[] = []
  const chunkSeconds = 650 * frameSeconds
  const hair = frameSeconds / 1000 // on either side of the border between two frames
  for (let start = 0; start < lighthouses.durationSeconds; start += chunkSeconds) {
    texts.push((await heard(await cut(lighthouses.bytes, start + hair, start + chunkSeconds - hair))).text)
  }
  expect(texts.filter(Boolean).join(' ')).toBe(wholeText)
})

test('recognises every sample recording by itself alone', async () => {
  for (const { bytes, sentences } of clips.values()) {
    const { text } = await heard(bytes)
    expect(text).toBe(sentences.map((sentence) => sentence.text).join(' '))
  }
})

test('finds a run of raw frames with no header of a muxer before it', async () => {
  const sentence = lighthouses.sentences[7]
  const first = Math.floor((sentence?.start ?? 0) / frameSeconds) - 2
  const last = Math.ceil((sentence?.end ?? 0) / frameSeconds) + 2
  const run = Buffer.concat(lighthouses.frames.slice(first, last).map(({ bytes }) => bytes))
  const { text, segments } = await heard(run)
  expect(text).toBe(sentence?.text)
  expect(segments?.[0]?.start).toBeCloseTo((sentence?.start ?? 0) - first * frameSeconds, 2)
})

test('writes text, subtitles and plain JSON', async () => {
  const episode = clip('one-small-word/echo')
  const written = async (format: string) => (await post(episode.bytes, [['response_format', format]])).text()
  expect(JSON.parse(await written('json'))).toMatchObject({
    text: expect.stringMatching(/^Echo\./) as string,
  })
  expect(await written('text')).toMatch(/^Echo\. She was/)
  expect(await written('srt')).toMatch(/^1\n00:00:00,\d{3} --> 00:00:00,\d{3}\nEcho\.\n\n2\n/)
  expect(await written('vtt')).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> 00:00:00\.\d{3}\nEcho\.\n\n/)
})

test('gives segments alone unless words are asked for', async () => {
  const answer = await post(lighthouses.bytes, [['response_format', 'verbose_json']])
  const verbose = (await answer.json()) as Verbose
  expect(verbose.segments).toBeDefined()
  expect(verbose.words).toBeUndefined()
})

test('refuses audio that is not one of the sample shows, in the vendor’s shape', async () => {
  const other = Buffer.concat(
    lighthouses.frames.slice(0, 200).map(({ bytes }) => {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(100) ^ 0xff, 100)
      return changed
    }),
  )
  const halfOfIt = Buffer.concat([...lighthouses.frames.slice(0, 200).map(({ bytes }) => bytes), other])
  for (const file of [other, halfOfIt, Buffer.from('RIFF no audio'), Buffer.alloc(0)]) {
    const answer = await post(file)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: {
        message: 'This audio is not one of the sample shows.',
        type: 'invalid_request_error',
        param: 'file',
        code: null,
      },
    })
  }
})

test('refuses a file above 25 MB', async () => {
  expect((await post(Buffer.alloc(25 * 1024 * 1024 + 1))).status).toBe(413)
})

test.each([
  ['no file', () => post(undefined)],
  ['an unknown format', () => post(lighthouses.bytes, [['response_format', 'rtf']])],
  ['words without verbose_json', () => post(lighthouses.bytes, [['timestamp_granularities[]', 'word']])],
  ['a body that is no form', () => postRaw('{}', 'application/json')],
  [
    'a form that ends early',
    () => postRaw('--x\r\ncontent-disposition: form-data; na', 'multipart/form-data; boundary=x'),
  ],
])('refuses %s', async (_, ask) => {
  const answer = await ask()
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
})

test('refuses a request without a key', async () => {
  const url = `${sandbox.url}/openai/v1/audio/transcriptions`
  expect((await fetch(url, { method: 'POST', body: new FormData() })).status).toBe(401)
})

function postRaw(body: string, contentType: string): Promise<Response> {
  return fetch(`${sandbox.url}/openai/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': contentType },
    body,
  })
}
