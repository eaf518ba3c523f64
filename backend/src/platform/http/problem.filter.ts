import { inspect } from 'node:util'
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { apiBase } from '@earmark/contracts/api'
import { LOGGER } from '../logging/logging.module.ts'
import { toProblem } from './problem.ts'

/** The shape of every failure, whoever threw it: Nest's and Fastify's own shapes do not get out. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async catch(error: unknown, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest<FastifyRequest>()
    const reply = host.switchToHttp().getResponse<FastifyReply>()
    if (reply.sent) return
    const { status, body, unexpected } = toProblem(error)
    if (status === 404 && isNavigation(request) && typeof reply.sendFile === 'function') {
      // A deep link into the app: the browser's router knows the screen.
      await reply.header('cache-control', 'no-cache').sendFile('index.html')
      return
    }
    if (unexpected) this.logger.error({ error: inspect(error, { depth: 3 }) }, 'request failed')
    if (status === 503) void reply.header('retry-after', '5')
    await reply.status(status).send(body)
  }
}

function isNavigation(request: FastifyRequest): boolean {
  return (
    request.method === 'GET' &&
    !request.url.startsWith(`${apiBase}/`) &&
    (request.headers.accept ?? '').includes('text/html')
  )
}
