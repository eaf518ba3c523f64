import busboy from 'busboy'
import type { IncomingMessage } from 'node:http'

export const greatestFileBytes = 25 * 1024 * 1024 // OpenAI's own limit

export type Upload = { fields: Map<string, string[]>; file: Buffer | undefined; isTooLarge: boolean }

/** Reads a multipart form with its one file. @throws Error when the body is no such form, or ends too early. */
export async function readUpload(request: IncomingMessage): Promise<Upload> {
  const form = busboy({ headers: request.headers, limits: { fileSize: greatestFileBytes, files: 1 } })
  const upload: Upload = { fields: new Map(), file: undefined, isTooLarge: false }

  form.on('field', (name, value) => {
    upload.fields.set(name, [...(upload.fields.get(name) ?? []), value])
  })
  form.on('file', (name, stream) => {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('limit', () => (upload.isTooLarge = true))
    stream.on('end', () => {
      if (name === 'file') upload.file = Buffer.concat(parts)
    })
  })

  await new Promise<void>((resolve, reject) => {
    form.on('close', resolve)
    form.on('error', reject)
    request.on('error', reject)
    request.pipe(form)
  })
  return upload
}
