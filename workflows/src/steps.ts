import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow'
import { explainedFailure } from './activities.ts'

/** Steps on our own database and disk: an outage of minutes is waited out. */
export const ownRetry = {
  initialInterval: '500 milliseconds',
  maximumInterval: '30 seconds',
  maximumAttempts: 100,
} as const

/** What must not be given up while there is any hope: money goes back, and nothing is left lying about. */
export const lasting = {
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 days',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 minute', maximumAttempts: 50_000 },
} as const

/** Calls to somebody else's server: a few tries, then the user has their credits back rather than a job that waits. */
export function vendorRetry(bounds: { vendorAttempts: number; vendorRetrySeconds: number }) {
  return {
    initialInterval: `${bounds.vendorRetrySeconds} seconds`,
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: bounds.vendorAttempts,
  } as const
}

/**
 * Runs `atOnce` of the steps at a time; when one fails the others are cancelled, for their work would be for nothing.
 */
export async function together(steps: (() => Promise<void>)[], atOnce: number = steps.length): Promise<void> {
  const scope = new CancellationScope()
  const waiting = [...steps]
  let running: Promise<void>[] = []
  const workOff = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await step()
  }
  try {
    await scope.run(() => {
      running = Array.from({ length: Math.min(atOnce, steps.length) }, workOff)
      return Promise.all(running)
    })
  } catch (error) {
    scope.cancel()
    // Until they have heard of it they may still write.
    await CancellationScope.nonCancellable(() => Promise.allSettled(running))
    throw error
  }
}

/** Why a job ended, in words for the user. `job` is what it is called: `transcription`. */
export function explain(error: unknown, job: string): string {
  if (isCancellation(error)) return `This ${job} was cancelled.`
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof ApplicationFailure && cause.type === explainedFailure) return cause.message
  if (cause instanceof TimeoutFailure) return 'A step took too long and was given up.'
  return 'Something went wrong on our side.'
}
