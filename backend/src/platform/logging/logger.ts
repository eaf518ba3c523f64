import { AsyncLocalStorage } from 'node:async_hooks'
import type { LoggerService } from '@nestjs/common'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'

const requestIds = new AsyncLocalStorage<string>()

/** Runs `work` so that each line logged within carries `requestId`. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work)
}

/** The id of the request, or of the job's request, that is being served; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore()
}

/** Headers and fields that must never reach a log, wherever they appear in a logged object. */
const secrets = [
  'authorization',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'turnstile_token',
  'apiKey',
  'secret',
]

/** One JSON line an event, on standard output unless a test listens. */
export function createLogger(
  level: string,
  name: string,
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options: LoggerOptions = {
    name,
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const requestId = currentRequestId()
      return requestId === undefined ? {} : { requestId }
    },
    redact: {
      paths: secrets.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  }
  return pino(options, destination)
}

/** Nest's own lines in the same shape. */
export class NestLogger implements LoggerService {
  readonly #logger: Logger
  constructor(logger: Logger) {
    this.#logger = logger
  }
  // Nest reports each module and route at start: of use to who debugs it, noise to who runs it.
  log(message: unknown, ...context: unknown[]) {
    this.#logger.debug({ context: context.at(-1) }, String(message))
  }
  error(message: unknown, ...rest: unknown[]) {
    this.#logger.error({ detail: rest }, String(message))
  }
  warn(message: unknown, ...rest: unknown[]) {
    this.#logger.warn({ detail: rest }, String(message))
  }
}
