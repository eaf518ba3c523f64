import { apiExamples } from '@earmark/contracts/examples'

/** A checkout whose Stripe.js is the file in stories' own public folder. */
export const stripeSession = {
  ...apiExamples.payments.createCheckoutSession,
  stripe_js_url: `${window.location.origin}/pretend-stripe.js`,
}

/** How many embedded checkouts exist now: Stripe allows one. */
export function openCheckouts(): number {
  return (window as unknown as { pretendStripe?: { open: number } }).pretendStripe?.open ?? 0
}
