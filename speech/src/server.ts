import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from './api-error.ts'
import type { RecognizerPool } from './recognizer-pool.ts'
import { render } from './response-format.ts'
import { readTranscriptionRequest } from './transcription-request.ts'

export type SpeechServerOptions = { pool: RecognizerPool; modelName: string }

/** OpenAI's name for its Whisper, which clients send when they were told nothing else. */
const openAiModelName = 'whisper-1'

/** The part of OpenAI's API that turns speech into text: https://platform.openai.com/docs/api-reference/audio */
export const createSpeechServer = (options: SpeechServerOptions): http.Server =>
  http.createServer((request, response) => {
    void answer(options, request, response).catch((error: unknown) => sendError(request, response, error))
  })

const answer = async (options: SpeechServerOptions, request: IncomingMessage, response: ServerResponse) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const model = { id: options.modelName, object: 'model', created: 0, owned_by: 'whisper.cpp' }

  switch (`${request.method ?? ''} ${pathname.replace(/(.)\/$/, '$1')}`) {
    case 'POST /v1/audio/transcriptions':
      return transcribe(options, request, response)
    case 'GET /v1/models':
      return sendJson(response, 200, { object: 'list', data: [model] })
    case `GET /v1/models/${options.modelName}`:
      return sendJson(response, 200, model)
    case 'GET /health': {
      const { isReady, ...queue } = options.pool.status()
      const status = isReady ? 'ok' : 'loading'
      return sendJson(response, isReady ? 200 : 503, { status, model: options.modelName, ...queue })
    }
    default:
      throw new ApiError(404, `Invalid URL (${request.method ?? ''} ${pathname})`, { code: 'not_found' })
  }
}

const transcribe = async (
  { pool, modelName }: SpeechServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
) => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const place = pool.enter()
  try {
    const { audio, fileName, model, language, prompt, temperature, ...wanted } =
      await readTranscriptionRequest(request)
    if (model !== modelName && model !== openAiModelName) {
      throw new ApiError(404, `The model '${model}' does not exist here; this server has '${modelName}'.`, {
        param: 'model',
        code: 'model_not_found',
      })
    }
    const job = { audio, fileName, language, prompt, temperature }
    const transcript = await place.recognize(job, gone.signal)
    const { contentType, body } = render(
      transcript,
      wanted.response_format,
      wanted['timestamp_granularities[]'],
    )
    response.writeHead(200, { 'content-type': contentType }).end(body)
  } finally {
    place.release()
  }
}

const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const sendError = async (request: IncomingMessage, response: ServerResponse, error: unknown) => {
  const known =
    error instanceof ApiError ? error : new ApiError(500, 'Something went wrong in the speech server.')
  if (known !== error) console.error(error)
  await readAway(request)
  if (response.headersSent || response.destroyed) return
  sendJson(response, known.status, known.toBody(), {
    ...(known.retryAfterSeconds !== undefined && { 'retry-after': String(known.retryAfterSeconds) }),
    ...(!request.complete && { connection: 'close' }),
  })
}

/** Reads what is left of an upload: answered earlier, a client would see a broken connection instead. */
const readAway = async (request: IncomingMessage) => {
  if (request.complete) return
  request.resume()
  await Promise.race([
    once(request, 'close').catch(() => undefined),
    sleep(10_000, undefined, { ref: false }),
  ])
}
