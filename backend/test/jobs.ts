import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { NestFactory } from '@nestjs/core'
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkflowBundle,
} from '@temporalio/worker'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { taskQueues } from '@earmark/contracts/workflows'
import type { Config } from '../src/platform/config/config.ts'
import { createLogger } from '../src/platform/logging/logger.ts'
import { TemporalConnection } from '../src/platform/temporal/temporal-connection.ts'
import { activitiesOf, WorkerModule } from '../src/worker.module.ts'

export type Activity = (...args: never[]) => Promise<unknown>

const workflowsFolder = path.resolve(import.meta.dirname, '../../workflows')
const record = process.env.RECORD_HISTORIES === '1'

let bundle: Promise<WorkflowBundle> | undefined

function bundleOnce(): Promise<WorkflowBundle> {
  const logger = new DefaultLogger('ERROR', nothing)
  Runtime.install({ logger })
  return bundleWorkflowCode({ workflowsPath: path.join(workflowsFolder, 'src/all-workflows.ts'), logger })
}

/** The worker's part of the product, started and stopped as often as a test wants. */
export async function prepareJobs(config: Config) {
  bundle ??= bundleOnce()
  const workflowBundle = await bundle
  const context = await NestFactory.createApplicationContext(
    WorkerModule.of(config, createLogger('silent', 'test')),
    { logger: false },
  )
  const connection = await NativeConnection.connect({ address: config.temporal.address })
  let stop = () => Promise.resolve()

  return {
    context,

    /** `around` wraps each activity. */
    async start(around: (name: string, activity: Activity) => Activity = (_, activity) => activity) {
      const { main, recognition, language, payments } = activitiesOf(context)
      const wrap = (group: object) =>
        Object.fromEntries(
          Object.entries(group).map(([name, activity]) => [name, around(name, activity as Activity)]),
        )
      const common = { connection, namespace: config.temporal.namespace }
      const workers = await Promise.all([
        Worker.create({ ...common, taskQueue: taskQueues.main, workflowBundle, activities: wrap(main) }),
        Worker.create({ ...common, taskQueue: taskQueues.recognition, activities: wrap(recognition) }),
        Worker.create({ ...common, taskQueue: taskQueues.language, activities: wrap(language) }),
        Worker.create({ ...common, taskQueue: taskQueues.payments, activities: wrap(payments) }),
      ])
      const running = Promise.all(workers.map((worker) => worker.run()))
      stop = async () => {
        stop = () => Promise.resolve()
        for (const worker of workers) worker.shutdown()
        await running
      }
    },

    stop: () => stop(),

    workflow: (id: string) => context.get(TemporalConnection).client.workflow.getHandle(id),

    /** Writes the ended run's history where the replay tests read it, if RECORD_HISTORIES=1. `name` is its file's beginning. */
    async keepHistory(name: string, workflowId: string) {
      if (!record) return
      const handle = this.workflow(workflowId)
      // However it ended.
      await handle.result().catch(() => undefined)
      const folder = path.join(workflowsFolder, 'histories')
      await mkdir(folder, { recursive: true })
      const json = historyToJSON(await handle.fetchHistory()).replaceAll(
        /(file:\/\/)?\/[\w./@-]*\/(?=(backend|node_modules)\/)/g,
        '',
      )
      await writeFile(path.join(folder, `${name}.history.json`), json)
    },

    async close() {
      await stop()
      await context.close()
      await connection.close()
    },
  }
}

export type Jobs = Awaited<ReturnType<typeof prepareJobs>>

const faultyFirstRun = new Error('its effect is there, its answer is lost')

/** Each activity does its work, then fails once: Temporal runs it again. Without the steps of `except`. */
export function everythingTwice(except: string[] = []) {
  const done = new Set<string>()
  return (name: string, activity: Activity): Activity =>
    async (...args) => {
      const answer = await activity(...args)
      const key = `${name} ${JSON.stringify(args)}`
      if (except.includes(name) || done.has(key)) return answer
      done.add(key)
      throw faultyFirstRun
    }
}

const nothing = () => undefined
