/**
 * One recognition at a time, in a process of its own: the runtime blocks its thread until it is done, so the
 * only way to stop it is to end the process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeAudio, Whisper, WhisperFullParams, WhisperSamplingStrategy } from '@napi-rs/whisper'
import type { FromChild, Job, ToChild } from './recognizer.protocol.ts'
import { segmentsOf, tidyText, tidyWords, type Transcript, type Word } from './transcript.ts'

const samplesPerSecond = 16_000
const shortestSeconds = 0.1
// Anything below -60 dB is silence; the model would be tempted to hear words in it.
const audibleAmplitude = 0.001

const [modelPath = '', threads = '1'] = process.argv.slice(2)
const whisper = load()
const isMultilingual = whisper.isMultilingual === 1

const tell = (message: FromChild) => process.send?.(message)

process.on('message', (message: ToChild) => {
  void recognize(message.job).then(tell)
})
process.on('disconnect', () => process.exit(0))
tell({ kind: 'ready', isMultilingual })

function load() {
  try {
    return new Whisper(modelPath, { useGpu: false })
  } catch (error) {
    console.error(`The speech model ${modelPath} cannot be loaded: ${String(error)}`)
    process.exit(1)
  }
}

async function recognize(job: Job): Promise<FromChild> {
  const samples = decode(job)
  if ('kind' in samples) return samples
  const durationSeconds = samples.length / samplesPerSecond
  if (durationSeconds < shortestSeconds) {
    return refused(
      'audio_too_short',
      `The audio is too short: it must last at least ${shortestSeconds} seconds.`,
    )
  }
  const language = isMultilingual ? (job.language ?? 'auto') : 'en'
  if (language !== 'auto' && Whisper.langId(language) === -1) {
    return refused(
      'invalid_language',
      `The language '${language}' is not known. Use an ISO-639-1 code, such as 'en'.`,
      'language',
    )
  }
  if (!samples.some((sample) => Math.abs(sample) > audibleAmplitude)) {
    const transcript = { text: '', language: nameOf(language), durationSeconds, words: [], segments: [] }
    return { kind: 'recognized', transcript }
  }
  return { kind: 'recognized', transcript: await transcribe(job, samples, language) }
}

async function transcribe(job: Job, samples: Float32Array, language: string): Promise<Transcript> {
  const durationSeconds = samples.length / samplesPerSecond
  const params = new WhisperFullParams(WhisperSamplingStrategy.Greedy)
  params.nThreads = Number(threads)
  params.language = language
  params.temperature = job.temperature
  if (job.prompt) params.initialPrompt = job.prompt
  params.printProgress = false
  params.printRealtime = false
  params.printTimestamps = false
  // One word a "segment": the runtime has no other way to tell when a word was said.
  params.tokenTimestamps = true
  params.maxLen = 1
  params.splitOnWord = true

  const raw: Word[] = []
  params.onNewSegment = ({ text, start, end }) => raw.push({ word: text, start: start / 100, end: end / 100 })
  const text = tidyText(whisper.full(params, samples))
  // Its callbacks are queued on this thread, which it has blocked until now.
  await sleep(50)

  const words = tidyWords(raw, durationSeconds)
  const heard = language === 'auto' ? (Whisper.lang(whisper.fullLangId) ?? language) : language
  return { text, language: nameOf(heard), durationSeconds, words, segments: segmentsOf(words, text) }
}

function decode(job: Job): Float32Array | FromChild {
  const audio = Buffer.from(job.audio)
  if (audio.subarray(0, 4).toString('latin1') === 'OggS' && audio.subarray(0, 128).includes('OpusHead')) {
    return refused(
      'unsupported_format',
      'Opus audio is not supported here. Send MP3, M4A, FLAC, Ogg Vorbis or WAV.',
    )
  }
  try {
    const samples = decodeAudio(audio, job.fileName)
    if (samples.length > 0) return samples
  } catch {
    // Said below: what the decoder says is for programmers.
  }
  return refused(
    'invalid_audio',
    'The audio file could not be decoded. It may be damaged, or not be audio; MP3, M4A, FLAC, Ogg Vorbis and WAV are supported.',
  )
}

function refused(code: string, message: string, param = 'file'): FromChild {
  return { kind: 'refused', code, message, param }
}

function nameOf(language: string): string {
  return Whisper.langFull(Whisper.langId(language)) ?? language
}
