import { createReadStream } from 'node:fs'
import { Inject, Injectable } from '@nestjs/common'
import OpenAI from 'openai'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { openAiFailure } from '../../platform/outgoing/vendor-failed.ts'
import type { HeardChunk } from './heard-chunk.ts'

type Verbose = {
  text: string
  segments?: { start: number; end: number; text: string }[]
  words?: { start: number; word: string }[]
}

/** Speech to text by any server that speaks OpenAI's protocol. */
@Injectable()
export class Recogniser {
  readonly #client: OpenAI
  readonly #model: string

  constructor(@Inject(CONFIG) { transcription }: Config) {
    this.#model = transcription.model
    this.#client = new OpenAI({
      baseURL: transcription.baseUrl,
      apiKey: transcription.apiKey,
      timeout: transcription.timeoutSeconds * 1000,
      // The workflow tries again, so that each try is seen and bounded in one place.
      maxRetries: 0,
    })
  }

  /** @throws VendorFailed */
  async recognise(
    file: string,
    span: { startSeconds: number; endSeconds: number },
    signal: AbortSignal,
  ): Promise<HeardChunk> {
    try {
      const heard: Verbose = await this.#client.audio.transcriptions.create(
        {
          file: createReadStream(file),
          model: this.#model,
          response_format: 'verbose_json',
          timestamp_granularities: ['segment', 'word'],
        },
        { signal },
      )
      return toHeardChunk(heard, span)
    } catch (error) {
      throw openAiFailure(error, { service: 'transcription service', refused: 'could not read this audio' })
    }
  }
}

function toHeardChunk(heard: Verbose, span: { startSeconds: number; endSeconds: number }): HeardChunk {
  const { startSeconds, endSeconds } = span
  const at = (seconds: number) => startSeconds + seconds
  // A server that knows no times gives the text alone.
  const segments = heard.segments ?? [{ start: 0, end: endSeconds - startSeconds, text: heard.text }]
  return {
    startSeconds,
    endSeconds,
    segments: segments.map(({ start, end, text }) => ({
      startSeconds: at(start),
      endSeconds: at(end),
      text: text.trim(),
    })),
    words: (heard.words ?? []).map(({ start, word }) => ({ startSeconds: at(start), text: word })),
  }
}
