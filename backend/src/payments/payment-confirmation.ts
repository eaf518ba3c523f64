import { randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import { TypedSearchAttributes } from '@temporalio/common'
import { WithStartWorkflowOperation } from '@temporalio/client'
import {
  type ConfirmPaymentInput,
  confirmPaymentWorkflow,
  lookAgainSignal,
  type PaymentOutcome,
  settledUpdate,
  taskQueues,
} from '@earmark/contracts/workflows'
import { CONFIG, type Config } from '../platform/config/config.ts'
import { userIdKey } from '../platform/temporal/search-attribute-keys.ts'
import { TemporalConnection } from '../platform/temporal/temporal-connection.ts'
import type { PaymentRow } from './payment-row.ts'

const signalMs = 8000

/** A row whose session is known. */
export type ConfirmableRow = Pick<PaymentRow, 'user_id' | 'request_id'> & { session_id: string }

/**
 * The one door to a session's workflow, for the webhook, the return page and the reconciler alike: whoever has reason
 * to look says so, and the workflow finds out for itself what is true.
 */
@Injectable()
export class PaymentConfirmation {
  constructor(
    private readonly temporal: TemporalConnection,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Has the session looked at. @throws where the workflow service cannot be reached: then nobody will look. */
  async ask(row: ConfirmableRow): Promise<void> {
    await this.temporal.withDeadline(signalMs, () =>
      this.temporal.client.workflow.signalWithStart(confirmPaymentWorkflow, {
        ...this.#options(row),
        signal: lookAgainSignal,
        signalArgs: [],
      }),
    )
  }

  /** Has the session looked at and waits for what was found. @throws where nobody answers in time. */
  async settle(row: ConfirmableRow, waitMs: number): Promise<PaymentOutcome> {
    const operation = new WithStartWorkflowOperation(confirmPaymentWorkflow, {
      ...this.#options(row),
      workflowIdConflictPolicy: 'USE_EXISTING',
    })
    return this.temporal.withDeadline(waitMs, () =>
      this.temporal.client.workflow.executeUpdateWithStart<() => Promise<unknown>, PaymentOutcome, []>(
        settledUpdate,
        { startWorkflowOperation: operation, updateId: randomUUID() },
      ),
    )
  }

  #options(row: ConfirmableRow) {
    const { vendorRetry } = this.config
    const input: ConfirmPaymentInput = {
      sessionId: row.session_id,
      requestId: row.request_id,
      bounds: { vendorAttempts: vendorRetry.attempts, vendorRetrySeconds: vendorRetry.intervalSeconds },
    }
    return {
      workflowId: `payment-${row.session_id}`,
      taskQueue: taskQueues.main,
      args: [input],
      typedSearchAttributes: new TypedSearchAttributes([{ key: userIdKey, value: row.user_id }]),
      staticSummary: `Payment ${row.session_id}`,
    }
  }
}
