import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cacheFolder, resolveModel, type SpeechModel } from './model.ts'
import { createRecognizerPool, type RecognizerPool } from './recognizer-pool.ts'
import { createSpeechServer } from './server.ts'

const model: SpeechModel | undefined = await resolveModel({
  model: 'tiny.en',
  cacheFolder: cacheFolder(),
  modelsFolder: process.env.EARMARK_MODELS,
}).catch((error: unknown) => {
  if (process.env.CI === 'true') throw error
  console.warn(`SKIPPED: recognition of real audio. ${String(error)}`)
  return undefined
})

const mp3 = new URL('../test/tomatoes.mp3', import.meta.url)
const m4a = new URL('../test/tomatoes.m4a', import.meta.url)
const wordsSaid = (
  'this is a story about tomatoes and why they need so much water in july first look at the leaves ' +
  'if they curl in the morning the plant is thirsty if they curl only at noon leave it alone'
).split(' ')

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(' ')

/** Mono PCM in 16 bits at 16 kHz. */
const wav = (samples: Int16Array) => {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(16_000, 24)
  header.writeUInt32LE(32_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

describe.skipIf(!model)('the speech server, through the unmodified OpenAI client', () => {
  let pool: RecognizerPool
  let server: http.Server
  let origin: string
  let client: OpenAI

  beforeAll(async () => {
    pool = createRecognizerPool({ modelPath: model?.path ?? '', slots: 1, threads: 2, queueLength: 1 })
    await pool.ready()
    server = createSpeechServer({ pool, modelName: 'tiny.en' })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'unused', maxRetries: 0 })
  })

  afterAll(() => {
    pool.close()
    server.close()
    server.closeAllConnections()
  })

  const transcribe = (file: Buffer | string, name = 'audio.mp3') =>
    toFile(Buffer.from(file), name).then((upload) =>
      client.audio.transcriptions.create({ file: upload, model: 'tiny.en' }),
    )

  it('hears every word of an MP3', async () => {
    const { text } = await client.audio.transcriptions.create({
      file: createReadStream(mp3),
      model: 'whisper-1',
    })
    expect(wordsOf(text)).toEqual(wordsSaid)
  })

  it('hears every word of an M4A', async () => {
    const { text } = await client.audio.transcriptions.create({
      file: createReadStream(m4a),
      model: 'tiny.en',
    })
    expect(wordsOf(text)).toEqual(wordsSaid)
  })

  it('tells when each sentence and each word was said', async () => {
    const answer = await client.audio.transcriptions.create({
      file: createReadStream(mp3),
      model: 'tiny.en',
      response_format: 'verbose_json',
      timestamp_granularities: ['segment', 'word'],
    })
    expect(answer.language).toBe('english')
    expect(answer.duration).toBeCloseTo(10.9, 0)
    expect(answer.segments?.map(({ text }) => text).join(' ')).toBe(answer.text)
    expect(answer.segments).toHaveLength(4)
    expect(wordsOf((answer.words ?? []).map(({ word }) => word).join(' '))).toEqual(wordsSaid)
    const starts = (answer.words ?? []).map(({ start }) => start)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    // 'leaves.' ends the second sentence, in the middle of the audio.
    const leaves = answer.words?.find(({ word }) => word.startsWith('leaves'))
    expect(leaves?.end).toBeGreaterThan(4)
    expect(leaves?.end).toBeLessThan(7)
  })

  it('answers subtitles', async () => {
    const file = createReadStream(mp3)
    const vtt: unknown = await client.audio.transcriptions.create({
      file,
      model: 'tiny.en',
      response_format: 'vtt',
    })
    expect(vtt).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\nThis is a story/)
  })

  it('answers an empty text for silence', async () => {
    expect(await transcribe(wav(new Int16Array(48_000)), 'silence.wav')).toEqual({ text: '' })
  })

  it('refuses audio that is empty, too short, damaged or no audio with 400 and a sentence', async () => {
    const damaged = (await readFile(m4a)).subarray(0, 3000)
    await expect(transcribe('')).rejects.toMatchObject({ status: 400, code: 'invalid_audio' })
    await expect(transcribe(wav(new Int16Array(800)), 'click.wav')).rejects.toMatchObject({
      code: 'audio_too_short',
    })
    await expect(transcribe(damaged, 'damaged.m4a')).rejects.toMatchObject({
      status: 400,
      code: 'invalid_audio',
    })
    await expect(transcribe('<html>Not found</html>')).rejects.toThrow(
      /^400 The audio file could not be decoded/,
    )
    await expect(transcribe('OggS....OpusHead', 'a.opus')).rejects.toMatchObject({
      code: 'unsupported_format',
    })
  })

  it('refuses an upload over 25 MB with 413', async () => {
    await expect(transcribe(Buffer.alloc(25 * 1024 * 1024 + 1))).rejects.toMatchObject({ status: 413 })
    await expect(transcribe(Buffer.alloc(27 * 1024 * 1024))).rejects.toMatchObject({ status: 413 })
  })

  it('refuses malformed requests in the shape of OpenAI', async () => {
    const post = async (body: FormData | string) => {
      const response = await fetch(`${origin}/v1/audio/transcriptions`, { method: 'POST', body })
      return { status: response.status, body: await response.json() }
    }
    const form = (fields: Record<string, string>) => {
      const data = new FormData()
      data.set('file', new Blob(['x']), 'x.mp3')
      for (const [name, value] of Object.entries(fields)) data.set(name, value)
      return data
    }
    expect(await post(form({}))).toEqual({
      status: 400,
      body: {
        error: {
          message: 'model: you must provide a model parameter',
          type: 'invalid_request_error',
          param: 'model',
          code: 'invalid_value',
        },
      },
    })
    expect((await post(form({ model: 'tiny.en', response_format: 'xml' }))).status).toBe(400)
    expect((await post(form({ model: 'tiny.en', temperature: 'hot' }))).status).toBe(400)
    expect((await post(form({ model: 'tiny.en', 'timestamp_granularities[]': 'word' }))).status).toBe(400)
    expect((await post(form({ model: 'another' }))).status).toBe(404)
    expect((await post('{}')).status).toBe(400)
    expect((await fetch(`${origin}/v1/audio/speech`, { method: 'POST' })).status).toBe(404)
  })

  it('answers 503 with Retry-After when its queue is full', async () => {
    const call = () => client.audio.transcriptions.create({ file: createReadStream(mp3), model: 'tiny.en' })
    const outcomes = await Promise.allSettled([call(), call(), call()])
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refusals).toHaveLength(1)
    const [refusal] = refusals
    expect(refusal?.reason).toMatchObject({ status: 503, code: 'server_busy' })
    expect((refusal?.reason as { headers: Headers }).headers.get('retry-after')).toBe('10')
  })

  it('lists its model and says that it is well', async () => {
    const models = await client.models.list()
    expect(models.data.map(({ id }) => id)).toEqual(['tiny.en'])
    const health = await fetch(`${origin}/health`)
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ status: 'ok', model: 'tiny.en', slots: 1 })
  })
})

it('stops the recognizer when the client goes away, and serves the next', async () => {
  const childPath = new URL('../test/recognizer.stand-in.ts', import.meta.url).pathname
  const pool = createRecognizerPool({ modelPath: 'none', slots: 1, threads: 1, queueLength: 0, childPath })
  const server = createSpeechServer({ pool, modelName: 'tiny.en' })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'unused', maxRetries: 0 })
  const transcribe = async (name: string, signal?: AbortSignal) =>
    client.audio.transcriptions.create(
      { file: await toFile(Buffer.from('audio'), name), model: 'tiny.en' },
      signal ? { signal } : {},
    )

  const gone = new AbortController()
  const call = transcribe('hang', gone.signal)
  await vi.waitFor(() => expect(pool.status().idle).toBe(0))
  gone.abort()
  await expect(call).rejects.toThrow()
  await vi.waitFor(() => expect(pool.status().idle).toBe(1))
  expect((await transcribe('fine')).text).toMatch(/\d+/)

  pool.close()
  server.close()
  server.closeAllConnections()
})
