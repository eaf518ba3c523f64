import { z } from 'zod'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { json, type Reply } from '../http/reply.ts'
import type { Vendor, VendorRequest } from '../vendor.ts'
import { responseFormats, written } from './formats.ts'
import { type FrameIndex, indexFrames, recognise } from './frame-index.ts'
import { mpegFrames } from './mpeg-frames.ts'
import { transcriptOf } from './transcript.ts'
import { greatestFileBytes, readUpload, type Upload } from './upload.ts'

const optionsSchema = z.object({
  model: z.string().min(1),
  response_format: z.enum(responseFormats).default('json'),
  granularities: z.array(z.enum(['segment', 'word'])),
})

/**
 * OpenAI's `POST /v1/audio/transcriptions` (https://platform.openai.com/docs/api-reference/audio): the base address
 * to give to a client is `<sandbox>/openai/v1`, any key will do. It knows the sample shows alone, by their frames.
 */
export function transcription(catalogue: Catalogue): Vendor {
  const index = indexFrames(catalogue.clips.values())
  return {
    name: 'transcription',
    title: 'Speech to text',
    description: "OpenAI's transcription call, for the sample shows alone: it recognises their MP3 frames.",
    paths: ['/openai/v1/audio/'],
    methods: ['POST'],
    failure: (status, message) => refusal(status, message),
    answer: (request) => answer(index, request),
  }
}

async function answer(index: FrameIndex, { url, headers, body }: VendorRequest): Promise<Reply> {
  if (url.pathname !== '/openai/v1/audio/transcriptions') {
    return refusal(404, `Invalid URL (POST ${url.pathname.slice('/openai'.length)})`)
  }
  if (!/^Bearer \S/.test(headers.authorization ?? '')) {
    return refusal(401, "You didn't provide an API key.", { code: 'invalid_api_key' })
  }
  try {
    return transcribe(index, await readUpload(body))
  } catch {
    return refusal(400, 'Could not parse multipart form')
  }
}

function transcribe(index: FrameIndex, { fields, file, isTooLarge }: Upload): Reply {
  if (isTooLarge) return refusal(413, `Maximum content size limit (${greatestFileBytes}) exceeded`)
  const asked = fields.get('timestamp_granularities[]') ?? fields.get('timestamp_granularities') ?? []
  const options = optionsSchema.safeParse({
    model: fields.get('model')?.[0],
    response_format: fields.get('response_format')?.[0],
    granularities: asked.length > 0 ? asked : ['segment'],
  })
  if (!options.success) {
    const [issue] = options.error.issues
    return refusal(400, issue?.message ?? 'Invalid form', { param: String(issue?.path[0] ?? '') })
  }
  const { response_format: format, granularities } = options.data
  if (asked.length > 0 && format !== 'verbose_json') {
    return refusal(400, "timestamp_granularities needs response_format 'verbose_json'", {
      param: 'timestamp_granularities',
    })
  }
  if (!file) return refusal(400, "Missing required parameter: 'file'", { param: 'file' })

  const run = recognise(index, mpegFrames(file))
  if (!run) return refusal(400, 'This audio is not one of the sample shows.', { param: 'file' })
  return written(transcriptOf(run), format, granularities)
}

function refusal(
  status: number,
  message: string,
  { param, code }: { param?: string; code?: string } = {},
): Reply {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  return json(status, { error: { message, type, param: param ?? null, code: code ?? null } })
}
