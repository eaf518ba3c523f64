import { apiExamples } from '@earmark/contracts/examples'
import { http, HttpResponse } from 'msw'

let open = 0

/** How many embedded checkouts exist now: Stripe allows one. */
export const openCheckouts = () => open

/** A checkout whose Stripe.js is the one below. */
export const stripeSession = {
  ...apiExamples.payments.createCheckoutSession,
  stripe_js_url: `${window.location.origin}/pretend-stripe.js`,
}

/** The secret of a session that Stripe does not know. */
export const unknownSecret = 'cs_unknown'

const unused = () => {
  throw new Error('The product does not use this')
}

async function createEmbeddedCheckoutPage({ clientSecret }: { clientSecret: string }) {
  if (open > 0) throw new Error('You cannot have multiple Embedded Checkout objects.')
  if (clientSecret === unknownSecret) throw new Error('No such checkout session')
  open += 1
  // Long enough for a reader to change their mind meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 400))
  let isDestroyed = false
  const place = document.createElement('div')
  const expectAlive = () => {
    if (isDestroyed) throw new Error('This Embedded Checkout object is destroyed.')
  }
  return {
    mount(location: HTMLElement) {
      expectAlive()
      place.textContent = `Pretend checkout of ${clientSecret}`
      place.style.cssText = 'padding: 24px; background: #fff; color: #161a18; min-height: 420px'
      location.append(place)
    },
    unmount() {
      expectAlive()
      place.remove()
    },
    destroy() {
      expectAlive()
      isDestroyed = true
      place.remove()
      open -= 1
    },
  }
}

/** As much of Stripe.js as @stripe/react-stripe-js asks for, and as strict: one embedded checkout at a time, no call on a destroyed one. */
const pretendStripe = () => ({
  elements: unused,
  createToken: unused,
  createPaymentMethod: unused,
  confirmCardPayment: unused,
  createEmbeddedCheckoutPage,
})

Object.assign(window, { pretendStripe })

export const stripeScriptHandler = http.get(
  '*/pretend-stripe.js',
  () =>
    new HttpResponse('window.Stripe = window.pretendStripe', {
      headers: { 'content-type': 'text/javascript' },
    }),
)
