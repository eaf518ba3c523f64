import { setTimeout as sleep } from 'node:timers/promises'

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EBUSY',
  'ENOTFOUND',
  // PostgreSQL: connection failures, shutting down, starting up, too many connections, no room, a standby, too slow.
  '08000',
  '08003',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '25006',
  '55P03',
  '57014',
])

/** Whether the database or the workflow service could not be reached, so that trying again later may help. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && unreachableCodes.has(error.code)) return true
  return /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Failed to connect before the deadline/.test(
    error.message,
  )
}

const firstWaitMs = 250
const longestWaitMs = 5000

/**
 * Does a step on a part of our own, again for as long as that part cannot be reached. The step may run more than once.
 * @throws what the step throws otherwise, and when `signal` says that nobody waits for it any more.
 */
export async function waitingOutOutages<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await step()
    } catch (error) {
      if (!isUnreachable(error)) throw error
    }
    await sleep(waitMs, undefined, { signal })
  }
}
