import type { Logger } from 'pino'

/** After this a process that will not end is ended; Temporal and the launcher allow 35 s. */
const patienceMs = 33_000

/** Ends the process in order when it is asked to: first `stop`, then exit. Asked again, it ends at once. */
export function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => {
      logger.error('did not stop in time')
      process.exit(1)
    }, patienceMs).unref()
    stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        logger.error({ error: String(error) }, 'stopped badly')
        process.exit(1)
      })
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
