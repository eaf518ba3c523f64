import { lookup as dnsLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { Agent, request } from 'undici'
import { CONFIG, type Config } from '../config/config.ts'
import { isPublicAddress } from './public-address.ts'

const maxRedirects = 5
const connectMs = 10_000
const userAgent = 'Earmark/0.1 (podcast transcripts)'

/** Why nothing could be fetched. `temporary` says that trying again may help. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused'
  constructor(
    readonly reason:
      | 'forbidden_address'
      | 'too_large'
      | 'too_many_redirects'
      | 'bad_url'
      | 'http_error'
      | 'unreachable'
      | 'interrupted'
      | 'too_slow',
    message: string,
    readonly temporary: boolean,
    readonly status?: number,
  ) {
    super(message)
  }
}

export type GuardedResponse = {
  status: number
  url: string
  header: (name: string) => string | undefined
  /** The body, inflated and cut off with an error beyond the limit. */
  body: Readable
}

export type GuardedRequest = {
  headers?: Record<string, string>
  /** Of the inflated body. */
  maxBytes: number
  /** From the first byte asked to the last byte got. */
  timeoutMs: number
  signal?: AbortSignal
  acceptEncoding?: boolean
}

/**
 * Fetches what a user names (a feed, an episode's audio). Only public addresses are connected to, checked at the
 * moment of connecting, on each redirect anew, so that a name which changes its answer gains nothing.
 */
@Injectable()
export class GuardedFetch implements OnApplicationShutdown {
  readonly #agent: Agent
  readonly #allowedOrigins: Set<string>
  readonly #allowedAgent: Agent

  constructor(@Inject(CONFIG) config: Config) {
    this.#allowedOrigins = new Set(config.outgoing.allowOrigins.map((origin) => new URL(origin).origin))
    this.#agent = new Agent({ connect: { lookup: publicLookup, timeout: connectMs } })
    this.#allowedAgent = new Agent({ connect: { timeout: connectMs } })
  }

  /** @throws FetchRefused for whatever is not a 2xx or 304 answer. */
  async get(address: string, options: GuardedRequest): Promise<GuardedResponse> {
    const deadline = AbortSignal.timeout(options.timeoutMs)
    const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
    let url = parseUrl(address)
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const response = await this.#request(url, options, signal)
      const location = response.header('location')
      if (
        response.status >= 300 &&
        response.status < 400 &&
        response.status !== 304 &&
        location !== undefined
      ) {
        response.body.destroy()
        url = parseUrl(location, url)
        continue
      }
      if (response.status === 304 || (response.status >= 200 && response.status < 300)) return response
      response.body.destroy()
      const temporary = response.status === 429 || response.status >= 500
      throw new FetchRefused(
        'http_error',
        `${url.host} answered ${response.status}`,
        temporary,
        response.status,
      )
    }
    throw new FetchRefused('too_many_redirects', `${address} redirects too often`, false)
  }

  async onApplicationShutdown() {
    await Promise.all([this.#agent.destroy(), this.#allowedAgent.destroy()])
  }

  async #request(url: URL, options: GuardedRequest, signal: AbortSignal): Promise<GuardedResponse> {
    const allowed = this.#allowedOrigins.has(url.origin)
    // A literal address is never looked up, so the connect-time check would not see it.
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (!allowed && /^[\d.]+$|:/.test(literal) && !isPublicAddress(literal)) throw forbidden(url.hostname)
    try {
      const response = await request(url, {
        dispatcher: allowed ? this.#allowedAgent : this.#agent,
        signal,
        headersTimeout: options.timeoutMs,
        bodyTimeout: options.timeoutMs,
        headers: {
          'user-agent': userAgent,
          ...(options.acceptEncoding && { 'accept-encoding': 'gzip, br, deflate' }),
          ...options.headers,
        },
      })
      const header = (name: string) => {
        const value = response.headers[name]
        return Array.isArray(value) ? value[0] : value
      }
      const body = limited(
        inflated(response.body, header('content-encoding')?.toLowerCase()),
        options.maxBytes,
        signal,
      )
      return { status: response.statusCode, url: url.href, header, body }
    } catch (error) {
      throw toRefusal(error, url, signal)
    }
  }
}

/** Reads a whole body. @throws FetchRefused as the body does. */
export async function readAll(response: GuardedResponse): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of response.body) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, '', 0)
      return
    }
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      callback(forbidden(hostname), '', 0)
      return
    }
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

function parseUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (
    !url ||
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new FetchRefused(
      'bad_url',
      'Only http and https addresses without a user name can be fetched',
      false,
    )
  }
  return url
}

function inflated(body: Readable, encoding: string | undefined): Readable {
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : undefined
  if (!decoder) return body
  body.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => body.destroy())
  return body.pipe(decoder)
}

/** Counts what is inflated, since a length header speaks of compressed bytes, if it speaks the truth. */
function limited(body: Readable, maxBytes: number, signal: AbortSignal): Readable {
  async function* parts() {
    let bytes = 0
    try {
      for await (const part of body) {
        bytes += (part as Buffer).length
        if (bytes > maxBytes) {
          throw new FetchRefused('too_large', `More than ${Math.round(maxBytes / 1_000_000)} MB`, false)
        }
        yield part as Buffer
      }
    } catch (error) {
      throw toRefusal(error, undefined, signal)
    } finally {
      body.destroy()
    }
  }
  const counted = Readable.from(parts())
  // Destroyed before anybody read from it (a redirect, a 404), the generator never began and would not hang up.
  counted.on('close', () => body.destroy())
  body.on('error', () => undefined)
  return counted
}

function forbidden(host: string): FetchRefused {
  return new FetchRefused('forbidden_address', `${host} is not on the public internet`, false)
}

function toRefusal(error: unknown, url: URL | undefined, signal: AbortSignal): FetchRefused {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchRefused) return cause
  }
  if (signal.aborted) return new FetchRefused('too_slow', `${url?.host ?? 'The server'} took too long`, true)
  const why = error instanceof Error ? error.message : String(error)
  // Without an address it is the body that failed: the server was there.
  return url
    ? new FetchRefused('unreachable', `${url.host} cannot be reached (${why})`, true)
    : new FetchRefused('interrupted', `The answer broke off (${why})`, true)
}
