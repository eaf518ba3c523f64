import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  defineSignal,
  defineUpdate,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow'
import {
  type ConfirmPaymentBounds,
  type ConfirmPaymentInput,
  lookAgainSignal,
  type PaymentOutcome,
  settledUpdate,
  taskQueues,
} from '@earmark/contracts/workflows'
import type { CheckoutState, PaymentActivities, PaymentJob, PaymentVendorActivities } from './activities.ts'
import { lasting, vendorRetry } from './steps.ts'

const lookAgain = defineSignal(lookAgainSignal)
const settled = defineUpdate<PaymentOutcome>(settledUpdate)

const { creditPayment, closePayment } = proxyActivities<PaymentActivities>(lasting)

/**
 * Finds out whether a checkout is paid and adds its credits, once. There is one of these for a session at a time: the
 * webhook, the return page and the reconciler only ask it to look, in any order, late, twice or never.
 * It ends when nobody has asked since its last look; the next who asks starts it again, and the ledger knows what was done.
 */
export async function confirmPayment(input: ConfirmPaymentInput): Promise<PaymentOutcome> {
  const { sessionId, requestId, bounds } = input
  const job: PaymentJob = { sessionId, requestId }
  const { lookAtCheckout, sendReceipt } = vendorActivities(bounds)
  let outcome: PaymentOutcome = 'open'
  /** How often somebody asked, and how many of them have had a look that began after they did. */
  let asked = 0
  let answered = 0

  setHandler(lookAgain, () => {
    asked += 1
  })
  setHandler(settled, async () => {
    asked += 1
    const mine = asked
    await condition(() => answered >= mine)
    return outcome
  })
  await condition(() => asked > 0)

  const settle = async (): Promise<PaymentOutcome> => {
    const found = await lookAtCheckout(job).catch((error: unknown): CheckoutState => {
      if (isCancellation(error)) throw error
      // Unknown is not unpaid: the reconciler asks again.
      log.warn('no answer of the card provider', { sessionId, reason: reasonOf(error) })
      return { state: 'open' }
    })
    switch (found.state) {
      case 'open':
      case 'credited':
        return found.state
      case 'paid': {
        const { customerEmail, paymentIntentId } = found
        return creditPayment({ ...job, customerEmail, paymentIntentId })
      }
      case 'expired':
      case 'failed':
      case 'review':
        return closePayment({ ...job, outcome: found.state })
    }
  }

  while (outcome === 'open' && answered < asked) {
    const upTo = asked
    outcome = await settle()
    answered = upTo
  }
  // What has ended is the answer to whoever asks from here on.
  answered = Infinity

  if (outcome === 'credited') {
    await sendReceipt(job).catch((error: unknown) => {
      if (isCancellation(error)) throw error
      log.warn('receipt not sent; the reconciler asks again', { sessionId, reason: reasonOf(error) })
    })
  }
  await condition(allHandlersFinished)
  return outcome
}

function vendorActivities(bounds: ConfirmPaymentBounds) {
  const { lookAtCheckout, sendReceipt } = proxyActivities<PaymentVendorActivities>({
    taskQueue: taskQueues.payments,
    startToCloseTimeout: '30 seconds',
    retry: vendorRetry(bounds),
  })
  return { lookAtCheckout, sendReceipt }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
