import type { Stripe, StripeEmbeddedCheckout, StripeEmbeddedCheckoutOptions } from '@stripe/stripe-js'

/** Resolves once no embedded checkout is left: Stripe refuses a second one beside the first. */
let freed: Promise<unknown> = Promise.resolve()

/**
 * The same Stripe object, of which one embedded checkout at a time is made, and none is left behind: react-stripe-js
 * forgets one that is still being made when its provider goes, and hears nothing of one that could not be made.
 * Call `release` when the provider is gone.
 */
export function oneCheckoutAtATime(
  stripe: Stripe,
  onFailed: () => void,
): { stripe: Stripe; release: () => void } {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })

  const create = async (options: StripeEmbeddedCheckoutOptions): Promise<StripeEmbeddedCheckout> => {
    const making = freed.then(() => stripe.createEmbeddedCheckoutPage(options)).then(destroyedOnce)
    freed = Promise.all([making, released])
      .then(([checkout]) => checkout.destroy())
      .catch(() => undefined)
    return making.catch(() => {
      onFailed()
      return new Promise<never>(() => undefined)
    })
  }

  // Not a copy: what else there is belongs to the object that Stripe made.
  const guarded = new Proxy({} as Stripe, {
    has: (_, name) => name in stripe,
    get(_, name) {
      if (name === 'createEmbeddedCheckoutPage') return create
      const member: unknown = Reflect.get(stripe, name)
      return typeof member === 'function' ? (member.bind(stripe) as unknown) : member
    },
  })
  return { stripe: guarded, release }
}

/** May be destroyed by its provider and by us, whoever comes first. */
function destroyedOnce(checkout: StripeEmbeddedCheckout): StripeEmbeddedCheckout {
  let isDestroyed = false
  return {
    mount: (location) => checkout.mount(location),
    unmount: () => checkout.unmount(),
    destroy: () => {
      if (isDestroyed) return
      isDestroyed = true
      checkout.destroy()
    },
  }
}
