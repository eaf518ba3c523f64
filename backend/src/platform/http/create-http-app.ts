import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { IncomingMessage } from 'node:http'
import type { DynamicModule } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import compress from '@fastify/compress'
import serveStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { apiBase } from '@earmark/contracts/api'
import type { Config } from '../config/config.ts'
import { NestLogger, withRequestId } from '../logging/logger.ts'
import { ProblemFilter } from './problem.filter.ts'
import { parseJsonBody } from './json-body.ts'
import { problem, toProblem } from './problem.ts'

const bodyLimitBytes = 256 * 1024

/** oRPC sends its answers itself. Fastify would make an error, stack and all, of Nest's sending nothing behind them. */
class Adapter extends FastifyAdapter {
  override reply(...[response, body, status]: Parameters<FastifyAdapter['reply']>) {
    const isAnswered = 'sent' in response && response.sent
    return isAnswered && body === undefined ? response : super.reply(response, body, status)
  }
}

/** The HTTP side of the product: the API below `/v1` and the built app beside it. */
export async function createHttpApp(
  module: DynamicModule,
  config: Config,
  logger: Logger,
): Promise<NestFastifyApplication> {
  const adapter = new Adapter({
    bodyLimit: bodyLimitBytes,
    // So many proxies stand before us; what they say of the caller is believed, and no more.
    trustProxy: (_address, hop) => hop < config.http.trustedProxies,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) =>
      acceptedRequestId(request.headers['x-request-id']) ?? randomUUID(),
    // At shutdown a kept-alive connection is closed once its request is answered.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { status, body } = toProblem(unreadableAddress())
      void reply.header('x-request-id', request.id).status(status).send(body)
    },
    clientErrorHandler: refuseWhatIsNoRequest,
  })
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
    // The card provider signs the bytes of its messages.
    rawBody: true,
  })
  const fastify = app.getHttpAdapter().getInstance()
  // Bodies are JSON and nothing else: Nest and Fastify would take forms and plain text too.
  fastify.removeAllContentTypeParsers()
  app.useBodyParser('application/json', { bodyLimit: bodyLimitBytes }, parseJsonBody)

  // Made once: its Fastify plugin would make the headers anew for each request.
  const setSecurityHeaders = helmet({
    contentSecurityPolicy: { directives: contentSecurityPolicy(config) },
    hsts: config.http.publicUrl.startsWith('https:'),
  })
  fastify.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    setSecurityHeaders(request, response, done as (error?: unknown) => void)
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    // PostgreSQL's text cannot hold the character 0.
    withRequestId(request.id, () => (/%00/.test(request.url) ? done(unreadableAddress()) : done()))
  })
  // Its lines have no field that could be a secret, and a search for one in each would cost more than the line.
  const requestLogger = logger.child({}, { redact: [] })
  fastify.addHook('onResponse', (request, reply, done) => {
    withRequestId(request.id, () => {
      const path = request.url.split('?')[0]
      const level = request.url.startsWith(`${apiBase}/health`) ? 'debug' : 'info'
      requestLogger[level](
        { method: request.method, path, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) },
        'request',
      )
    })
    done()
  })
  await app.register(compress, { threshold: 2048, encodings: ['br', 'gzip'] })
  if (config.http.frontendFolder !== undefined) {
    await app.register(serveStatic, {
      root: config.http.frontendFolder,
      wildcard: false,
      cacheControl: false,
      setHeaders: (response, path) => {
        // Names below assets/ carry a hash of their content.
        const forEver = path.includes('/assets/')
        response.header('cache-control', forEver ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setGlobalPrefix(apiBase)
  app.useGlobalFilters(new ProblemFilter(logger))
  return app
}

/** Artwork and audio come from wherever a podcast keeps them; code comes from here alone. */
function contentSecurityPolicy(config: Config) {
  const turnstile = config.turnstile ? ['https://challenges.cloudflare.com'] : []
  const cards = cardProviderOrigins(config)
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...turnstile, ...cards.script],
    'frame-src': ["'self'", ...turnstile, ...cards.frame],
    'worker-src': ["'self'", 'blob:'],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ['*', 'data:', 'blob:'],
    'media-src': ['*', 'blob:'],
    // The player draws an episode's waveform from its audio where its host allows that.
    'connect-src': ['*'],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'upgrade-insecure-requests': config.http.publicUrl.startsWith('https:') ? [] : null,
  }
}

/** As https://docs.stripe.com/security/guide#content-security-policy asks, or where Stripe.js comes from instead. */
function cardProviderOrigins({ stripe }: Config): { script: string[]; frame: string[] } {
  if (!stripe) return { script: [], frame: [] }
  if (stripe.jsUrl !== undefined) {
    const { origin } = new URL(stripe.jsUrl)
    return { script: [origin], frame: [origin] }
  }
  const script = ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://checkout.stripe.com']
  return { script, frame: [...script, 'https://hooks.stripe.com'] }
}

function acceptedRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{8,100}$/.test(header) ? header : undefined
}

function unreadableAddress() {
  return problem('invalid_input', 'The address cannot be read.')
}

/** What is not even HTTP, or has headers beyond all measure, never becomes a request that a filter could answer. */
function refuseWhatIsNoRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(toProblem(problem('invalid_input', 'The request cannot be read.')).body)
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      `x-request-id: ${randomUUID()}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
