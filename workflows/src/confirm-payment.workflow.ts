import {
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
} from '@earmark/contracts/workflows'
import type { CheckoutState, PaymentActivities, PaymentJob } from './activities.ts'

const lookAgain = defineSignal(lookAgainSignal)
const settled = defineUpdate<PaymentOutcome>(settledUpdate)

/** Our own database: somebody has paid, so an outage of any length is waited out. */
const { creditPayment, closePayment } = proxyActivities<PaymentActivities>({
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '30 days',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 minute', maximumAttempts: 50_000 },
})

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
      log.warn('the card provider does not answer', { sessionId })
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
      log.warn('receipt not sent', { sessionId })
    })
  }
  await condition(allHandlersFinished)
  return outcome
}

function vendorActivities(bounds: ConfirmPaymentBounds) {
  const initialInterval = `${bounds.vendorRetrySeconds} seconds` as const
  const { lookAtCheckout } = proxyActivities<PaymentActivities>({
    startToCloseTimeout: '1 minute',
    retry: { initialInterval, maximumInterval: '1 minute', maximumAttempts: bounds.vendorAttempts },
  })
  // Nobody waits for a mail: a mail server that is down for some hours still gets it.
  const { sendReceipt } = proxyActivities<PaymentActivities>({
    startToCloseTimeout: '1 minute',
    retry: { initialInterval, maximumInterval: '15 minutes', maximumAttempts: 30 },
  })
  return { lookAtCheckout, sendReceipt }
}
