import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker'
import type { Logger } from 'pino'
import { taskQueues } from '@earmark/contracts/workflows'
import type { Config } from '../config/config.ts'
import { withRequestId } from '../logging/logger.ts'

type Activities = Record<string, (...args: never[]) => Promise<unknown>>

/** What is under way may finish; what does not is tried again by another worker. */
const graceSeconds = 25

/**
 * Starts the two workers of this process: one for workflows and our own steps, one for recognition alone, which takes
 * as many jobs at once as the provider has slots. `failed` rejects when one of them breaks down.
 */
export async function startWorkers(
  config: Config,
  logger: Logger,
  parts: { workflowBundle: string; main: Activities; recognition: Activities },
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
    interceptors: { activity: [() => ({ inbound: carryRequestId })] },
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

/** Each job's log lines carry the id of the request that started it. */
const carryRequestId: ActivityInboundCallsInterceptor = {
  execute(
    input: ActivityExecuteInput,
    next: Next<ActivityInboundCallsInterceptor, 'execute'>,
  ): Promise<unknown> {
    const [job] = input.args
    const requestId =
      typeof job === 'object' && job !== null && 'requestId' in job ? String(job.requestId) : 'no-request'
    return withRequestId(requestId, () => next(input))
  },
}
