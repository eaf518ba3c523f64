import { randomUUID } from 'node:crypto'
import { type IncomingMessage } from 'node:http'
import { type DynamicModule } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import serveStatic from '@fastify/static'
import { type FastifyReply, type FastifyRequest } from 'fastify'
import { type Logger } from 'pino'
import { apiBase } from '@earmark/contracts/api'
import type { Config } from '../config/config.ts'
import { NestLogger, withRequestId } from '../logging/logger.ts'
import { ProblemFilter } from './problem.filter.ts'
import { problem, toProblem } from './problem.ts'

const bodyLimitBytes = 256 * 1024

/** The HTTP side of the product: the API below `/v1` and the built app beside it. */
export async function createHttpApp(
  module: DynamicModule,
  config: Config,
  logger: Logger,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
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
      const { status, body } = toProblem(problem('invalid_input', 'The address cannot be read.'))
      void reply.header('x-request-id', request.id).status(status).send(body)
    },
  })
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  })
  const fastify = app.getHttpAdapter().getInstance()

  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    withRequestId(request.id, done)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    withRequestId(request.id, () => {
      const path = request.url.split('?')[0]
      const level = request.url.startsWith(`${apiBase}/health`) ? 'debug' : 'info'
      logger[level](
        { method: request.method, path, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) },
        'request',
      )
    })
    done()
  })
  await app.register(helmet, {
    contentSecurityPolicy: { directives: contentSecurityPolicy(config) },
    hsts: config.http.publicUrl.startsWith('https:'),
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
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...turnstile],
    'frame-src': ["'self'", ...turnstile],
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

function acceptedRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{8,100}$/.test(header) ? header : undefined
}
