import { WithStartWorkflowOperation } from '@temporalio/client'
import { TypedSearchAttributes } from '@temporalio/common'
import { type ChargedAnswer, chargedUpdate, taskQueues } from '@earmark/contracts/workflows'
import { episodeIdKey, userIdKey } from '../platform/temporal/search-attribute-keys.ts'
import type { TemporalConnection } from '../platform/temporal/temporal-connection.ts'

/** How long the request waits for the deduction. Long enough for a busy worker, short enough for a person. */
const chargeWaitMs = 10_000

/**
 * Starts the workflow of a job that is paid for, by the job's id, or joins the one that runs, and waits for its charge.
 * `title` is what an operator sees of it.
 * @throws where the workflow service cannot be reached or nobody answers in time: then it may or may not have started.
 */
export function startAndCharge(
  temporal: TemporalConnection,
  workflow: string,
  job: { id: string; input: { userId: string; episodeId: string }; title: string },
): Promise<ChargedAnswer> {
  const operation = new WithStartWorkflowOperation(workflow, {
    workflowId: job.id,
    taskQueue: taskQueues.main,
    args: [job.input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: userIdKey, value: job.input.userId },
      { key: episodeIdKey, value: job.input.episodeId },
    ]),
    staticSummary: job.title.slice(0, 200),
  })
  return temporal.withDeadline(chargeWaitMs, () =>
    temporal.client.workflow.executeUpdateWithStart<() => Promise<unknown>, ChargedAnswer, []>(
      chargedUpdate,
      { startWorkflowOperation: operation, updateId: `${job.id}:charged` },
    ),
  )
}
