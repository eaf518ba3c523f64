import { createReadStream } from 'node:fs'
import { Inject, Injectable } from '@nestjs/common'
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import type { HeardChunk } from './heard-chunk.ts'

/** Why a chunk was not recognised; the message is for the user. */
export class RecognitionFailed extends Error {
  override readonly name = 'RecognitionFailed'
  constructor(
    message: string,
    readonly temporary: boolean,
    /** What the provider asked to wait before the next try. */
    readonly retryAfterSeconds?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

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

  /** @throws RecognitionFailed */
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
      throw toFailure(error)
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

function toFailure(error: unknown): unknown {
  if (error instanceof APIUserAbortError) return error
  if (error instanceof APIConnectionError || !(error instanceof APIError)) {
    return new RecognitionFailed('The transcription service cannot be reached.', true, undefined, {
      cause: error,
    })
  }
  const status = error.status as number | undefined
  if (status === 401 || status === 403) {
    return new RecognitionFailed('The transcription service does not accept our key.', false, undefined, {
      cause: error,
    })
  }
  if (status === 429 || status === undefined || status >= 500) {
    const header = Number((error.headers as Headers | undefined)?.get('retry-after'))
    const retryAfter = Number.isFinite(header) && header > 0 ? Math.min(header, 60) : undefined
    return new RecognitionFailed('The transcription service is overloaded or down.', true, retryAfter, {
      cause: error,
    })
  }
  return new RecognitionFailed('The transcription service could not read this audio.', false, undefined, {
    cause: error,
  })
}
