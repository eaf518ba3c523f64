import { setInterval } from 'node:timers'
import { Context } from '@temporalio/activity'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { explainedFailure } from '@earmark/workflows/activities'

const heartbeatMs = 4000

/** A failure whose message the user reads. Trying again is up to the activity's bounds, unless it is final. */
export function explained(
  message: string,
  options: { final: boolean; retryAfterSeconds?: number | undefined; cause?: unknown },
): ApplicationFailure {
  return ApplicationFailure.create({
    type: explainedFailure,
    message,
    nonRetryable: options.final,
    ...(options.cause instanceof Error && { cause: options.cause }),
    ...(options.retryAfterSeconds !== undefined && {
      nextRetryDelay: `${options.retryAfterSeconds} seconds`,
    }),
  })
}

/**
 * Runs a long step: it tells the server that it lives, stops when the job is cancelled, and fails in words.
 * `inWords` turns what our adapters throw into failures that the workflow understands; anything else is tried again as it is.
 */
export async function beating<T>(
  work: (signal: AbortSignal) => Promise<T>,
  inWords: (error: unknown) => unknown,
): Promise<T> {
  const context = Context.current()
  const timer = setInterval(() => context.heartbeat(), heartbeatMs)
  try {
    return await work(context.cancellationSignal)
  } catch (error) {
    throw context.cancellationSignal.aborted ? new CancelledFailure('cancelled') : inWords(error)
  } finally {
    clearInterval(timer)
  }
}
