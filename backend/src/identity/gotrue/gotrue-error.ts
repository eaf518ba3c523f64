import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { toProblem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'

/** A refusal in the words of GoTrue's protocol. */
export class GoTrueError extends Error {
  override readonly name = 'GoTrueError'
  constructor(
    readonly status: 400 | 401 | 403 | 404,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** From this version of the protocol on an error is `{ code, message }`; before it was `{ code: status, error_code, msg }`. */
const errorShapeVersion = '2024-01-01'

/** Failures below `/auth/v1` in GoTrue's two shapes. An outage must be a 5xx: any 4xx on a refresh signs the user out. */
@Catch()
export class GoTrueErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  async catch(error: unknown, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest<FastifyRequest>()
    const reply = host.switchToHttp().getResponse<FastifyReply>()
    const { status, code, message } = error instanceof GoTrueError ? error : this.#fromUnexpected(error)
    const version = request.headers['x-supabase-api-version']
    void reply.status(status).header('x-sb-error-code', code)
    if (typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) && version >= errorShapeVersion) {
      await reply.header('x-supabase-api-version', errorShapeVersion).send({ code, message })
    } else {
      await reply.send({ code: status, error_code: code, msg: message })
    }
  }

  #fromUnexpected(error: unknown) {
    const { status, body, unexpected } = toProblem(error)
    if (unexpected)
      this.logger.error({ error: error instanceof Error ? error.stack : String(error) }, 'request failed')
    return { status, code: status >= 500 ? 'unexpected_failure' : 'validation_failed', message: body.detail }
  }
}
