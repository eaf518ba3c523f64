import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes `start` to `end`, both inclusive, of a file. */
export type FileSlice = { path: string; start: number; end: number }

/** What a vendor answers; `send` puts it on the wire. */
export type Reply = {
  status: number
  headers?: Record<string, string>
  body?: string | Buffer | FileSlice
  /** The connection breaks after this many bytes of the body, though Content-Length promises all of it. */
  breaksAfterBytes?: number
}

export const openToBrowsers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'accept-ranges, content-length, content-range, etag',
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

export function text(status: number, body: string, contentType = 'text/plain; charset=utf-8'): Reply {
  return { status, headers: { 'content-type': contentType }, body }
}

/** Sends the reply, without its body for HEAD and as 304 where the client's copy is still the same. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  bytesPerSecond?: number,
): Promise<void> {
  const { status, headers = {}, body = '' } = reply
  if (isUnchanged(request, reply)) {
    const { 'content-type': _type, 'content-length': _length, ...kept } = headers
    response.writeHead(304, kept).end()
    return
  }

  response.writeHead(status, { 'content-length': String(sizeOf(body)), ...headers })
  if (request.method === 'HEAD') {
    response.end()
    return
  }

  if (reply.breaksAfterBytes !== undefined) {
    for await (const part of limited(streamOf(body), reply.breaksAfterBytes)) response.write(part)
    await new Promise((written) => response.write('', written))
    response.destroy()
    return
  }

  const source = streamOf(body)
  await pipeline(bytesPerSecond === undefined ? source : dripped(source, bytesPerSecond), response)
}

function isUnchanged(request: IncomingMessage, { status, headers = {} }: Reply): boolean {
  if (status !== 200 || (request.method !== 'GET' && request.method !== 'HEAD')) return false
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.headers
  const etag = headers['etag']
  if (ifNoneMatch !== undefined) {
    const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return etag !== undefined && (known.includes(etag) || known.includes('*'))
  }
  const lastModified = headers['last-modified']
  if (ifModifiedSince === undefined || lastModified === undefined) return false
  return Date.parse(lastModified) <= Date.parse(ifModifiedSince)
}

function sizeOf(body: string | Buffer | FileSlice): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return Buffer.isBuffer(body) ? body.length : body.end - body.start + 1
}

function streamOf(body: string | Buffer | FileSlice): Readable {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Readable.from([Buffer.from(body)])
  if (body.end < body.start) return Readable.from([])
  return createReadStream(body.path, { start: body.start, end: body.end })
}

async function* limited(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const part of source) {
    yield part.subarray(0, left)
    left -= part.length
    if (left <= 0) return
  }
}

const dripsPerSecond = 10

async function* dripped(source: AsyncIterable<Buffer>, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const dripBytes = Math.max(1, Math.round(bytesPerSecond / dripsPerSecond))
  for await (const part of source) {
    for (let from = 0; from < part.length; from += dripBytes) {
      const drip = part.subarray(from, from + dripBytes)
      await sleep((drip.length / bytesPerSecond) * 1000)
      yield drip
    }
  }
}
