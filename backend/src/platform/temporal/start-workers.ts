import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import type { Context as ActivityContext } from '@temporalio/activity'
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker'
import type { Logger } from 'pino'
import { taskQueues } from '@earmark/contracts/workflows'
import type { Config } from '../config/config.ts'
import { withRequestId } from '../logging/logger.ts'

type Activities = Record<string, (...args: never[]) => Promise<unknown>>

/** What is under way may finish; what does not is tried again by another worker. */
const graceSeconds = 25

/**
 * Starts the workers of this process: one for workflows and our own steps, and one for each vendor whose slots are
 * counted, which takes as many jobs at once as there are. `failed` rejects when one of them breaks down.
 */
export async function startWorkers(
  config: Config,
  logger: Logger,
  parts: { workflowBundle: string } & Record<keyof typeof taskQueues, Activities>,
): Promise<{ stop: () => Promise<void>; failed: Promise<void> }> {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      logger[level === 'ERROR' ? 'error' : 'warn']({ meta }, message)
    }),
    // We say ourselves when to stop, so that what the activities use is closed after them.
    shutdownSignals: [],
  })
  const connection = await NativeConnection.connect({ address: config.temporal.address })
  const common = {
    connection,
    namespace: config.temporal.namespace,
    shutdownGraceTime: `${graceSeconds} seconds`,
    interceptors: { activity: [(context) => ({ inbound: loggedStep(context, logger) })] },
  } satisfies Partial<WorkerOptions>
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: taskQueues.main,
      workflowBundle: { codePath: parts.workflowBundle },
      activities: parts.main,
      maxConcurrentActivityTaskExecutions: 40,
    }),
    Worker.create({
      ...common,
      taskQueue: taskQueues.recognition,
      activities: parts.recognition,
      maxConcurrentActivityTaskExecutions: config.transcription.concurrency,
    }),
    Worker.create({
      ...common,
      taskQueue: taskQueues.language,
      activities: parts.language,
      maxConcurrentActivityTaskExecutions: config.summaries?.concurrency ?? 1,
    }),
    Worker.create({
      ...common,
      taskQueue: taskQueues.payments,
      activities: parts.payments,
      maxConcurrentActivityTaskExecutions: 20,
    }),
  ])
  const running = Promise.all(workers.map((worker) => worker.run()))
  return {
    failed: running.then(() => undefined),
    async stop() {
      for (const worker of workers) worker.shutdown()
      await running
      await connection.close()
    },
  }
}

/** Logs each step, and gives all lines logged within it the id of the request that started the job. */
function loggedStep(context: ActivityContext, logger: Logger): ActivityInboundCallsInterceptor {
  return {
    execute(input, next) {
      const [job] = input.args
      const requestId =
        typeof job === 'object' && job !== null && 'requestId' in job ? String(job.requestId) : 'no-request'
      const { activityType: step, attempt, workflowExecution } = context.info
      const startedAt = performance.now()
      const log = (outcome: 'done' | 'failed', error?: Error) =>
        logger[outcome === 'done' ? 'info' : 'warn'](
          {
            step,
            attempt,
            outcome,
            workflowId: workflowExecution?.workflowId,
            durationMs: Math.round(performance.now() - startedAt),
            ...(error !== undefined && { error: error.message }),
          },
          'step',
        )
      return withRequestId(requestId, async () => {
        try {
          const answer = await next(input)
          log('done')
          return answer
        } catch (error) {
          log('failed', error instanceof Error ? error : new Error(String(error)))
          throw error
        }
      })
    },
  }
}
