import type { IncomingMessage } from 'node:http'
import busboy from 'busboy'
import { z } from 'zod'
import { ApiError } from './api-error.ts'
import { responseFormats } from './response-format.ts'

/** OpenAI's own limit for an upload. */
export const maximumUploadBytes = 25 * 1024 * 1024
const multipartOverheadBytes = 64 * 1024

const fields = z.object({
  model: z.string({ error: 'you must provide a model parameter' }).min(1),
  language: z.string().min(2).max(20).toLowerCase().optional(),
  prompt: z.string().max(10_000).optional(),
  response_format: z.enum(responseFormats).default('json'),
  temperature: z.coerce.number().min(0).max(1).default(0),
  'timestamp_granularities[]': z.array(z.enum(['segment', 'word'])).default(['segment']),
})

export type TranscriptionRequest = z.infer<typeof fields> & { audio: Buffer; fileName: string }

/** Reads the multipart body. Throws an ApiError: 400 for a malformed one, 413 for a file over 25 MB. */
export const readTranscriptionRequest = async (request: IncomingMessage): Promise<TranscriptionRequest> => {
  if (Number(request.headers['content-length'] ?? 0) > maximumUploadBytes + multipartOverheadBytes)
    throw tooLarge()
  const { file, values } = await readMultipart(request)

  const parsed = fields.safeParse(values)
  const issue = parsed.error?.issues[0]
  if (issue) {
    const param = String(issue.path[0] ?? '')
    throw new ApiError(400, `${param}: ${issue.message}`, { param, code: 'invalid_value' })
  }
  if (!parsed.data) throw new ApiError(400, 'The request could not be read.')
  if (values['timestamp_granularities[]'] && parsed.data.response_format !== 'verbose_json') {
    throw new ApiError(400, "timestamp_granularities needs response_format 'verbose_json'.", {
      param: 'timestamp_granularities',
      code: 'invalid_value',
    })
  }
  if (!file)
    throw new ApiError(400, 'The audio is missing: send it as the form field `file`.', { param: 'file' })
  if (file.content.length === 0) {
    throw new ApiError(400, 'The audio file is empty.', { param: 'file', code: 'invalid_audio' })
  }
  return { ...parsed.data, audio: file.content, fileName: file.name }
}

type Multipart = {
  file: { name: string; content: Buffer } | undefined
  values: Record<string, string | string[]>
}

const readMultipart = (request: IncomingMessage): Promise<Multipart> =>
  new Promise((resolve, reject) => {
    const form: Multipart = { file: undefined, values: {} }
    const fail = (error: ApiError) => {
      request.unpipe()
      reject(error)
    }
    const malformed = () => fail(new ApiError(400, 'The body is not a well-formed multipart/form-data form.'))

    let parser: busboy.Busboy
    try {
      const limits = { fileSize: maximumUploadBytes, files: 1, fields: 20, fieldSize: 64 * 1024 }
      parser = busboy({ headers: request.headers, limits })
    } catch {
      malformed()
      return
    }
    parser.on('file', (name, stream, { filename }) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('limit', () => fail(tooLarge()))
      stream.on('error', malformed)
      stream.on('close', () => {
        if (name === 'file') form.file = { name: filename || 'audio', content: Buffer.concat(parts) }
      })
    })
    parser.on('field', (name, value) => addField(form.values, name, value))
    parser.on('error', malformed)
    parser.on('close', () => resolve(form))
    request.on('aborted', malformed)
    request.pipe(parser)
  })

// Clients send a list as `name[]` repeated, or `name` repeated, or `name[0]`, `name[1]`.
const addField = (values: Multipart['values'], name: string, value: string) => {
  if (!/^timestamp_granularities(\[\d*\])?$/.test(name)) {
    values[name] = value
    return
  }
  const list = values['timestamp_granularities[]']
  values['timestamp_granularities[]'] = Array.isArray(list) ? [...list, value] : [value]
}

const tooLarge = () =>
  new ApiError(413, `The audio file is larger than ${maximumUploadBytes} bytes, which is the limit.`, {
    param: 'file',
    code: 'file_too_large',
  })
