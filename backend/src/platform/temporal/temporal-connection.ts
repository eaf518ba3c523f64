import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { searchAttributes, taskQueues } from '@earmark/contracts/workflows'
import { CONFIG, type Config } from '../config/config.ts'

const { TaskQueueType } = proto.temporal.api.enums.v1

const probeMs = 3000
const pollerIsFreshMs = 90_000

/** The connection to the workflow service; opened when first asked for, so that the product starts without it. */
@Injectable()
export class TemporalConnection implements OnApplicationShutdown {
  readonly #connection: Connection
  readonly client: Client

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.#connection = Connection.lazy({ address: config.temporal.address })
    this.client = new Client({ connection: this.#connection, namespace: config.temporal.namespace })
  }

  /** Runs `work` with a deadline on each call that it makes. */
  withDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
    return this.#connection.withDeadline(Date.now() + milliseconds, work)
  }

  /** @throws where the service does not answer. */
  async checkReachable(): Promise<void> {
    await this.withDeadline(probeMs, () =>
      this.#connection.workflowService.describeNamespace({ namespace: this.config.temporal.namespace }),
    )
  }

  /** Those of ours that the namespace does not know: without them no job can be started. @throws where nobody answers. */
  async missingSearchAttributes(): Promise<string[]> {
    const { customAttributes } = await this.withDeadline(probeMs, () =>
      this.#connection.operatorService.listSearchAttributes({ namespace: this.config.temporal.namespace }),
    )
    return Object.values(searchAttributes).filter((name) => !(name in customAttributes))
  }

  /** @throws where no worker asks for jobs. */
  async checkWorkerPolls(): Promise<void> {
    const kinds = [
      { name: taskQueues.main, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW },
      { name: taskQueues.recognition, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY },
      { name: taskQueues.language, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY },
      { name: taskQueues.payments, taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY },
    ]
    for (const { name, taskQueueType } of kinds) {
      const { pollers } = await this.withDeadline(probeMs, () =>
        this.#connection.workflowService.describeTaskQueue({
          namespace: this.config.temporal.namespace,
          taskQueue: { name },
          taskQueueType,
        }),
      )
      const fresh = pollers.some((poller) => {
        const seconds = Number(poller.lastAccessTime?.seconds ?? 0)
        return Date.now() - seconds * 1000 < pollerIsFreshMs
      })
      if (!fresh) throw new Error(`no worker asks for jobs of ${name}`)
    }
  }

  async onApplicationShutdown() {
    await this.#connection.close()
  }
}
