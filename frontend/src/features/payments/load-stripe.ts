import type { Stripe, StripeConstructor } from '@stripe/stripe-js'
import { loadStripe as loadFromStripe } from '@stripe/stripe-js/pure'

const loading = new Map<string, Promise<StripeConstructor>>()

/** Stripe.js of another address, fetched once; after a failure it can be asked for again. */
function loadFrom(scriptUrl: string): Promise<StripeConstructor> {
  const known = loading.get(scriptUrl)
  if (known !== undefined) return known
  const loaded = new Promise<StripeConstructor>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = scriptUrl
    script.async = true
    script.onload = () => {
      if (window.Stripe === undefined) reject(new Error('Stripe.js did not start'))
      else resolve(window.Stripe)
    }
    script.onerror = () => {
      script.remove()
      reject(new Error('Stripe.js could not be loaded'))
    }
    document.head.append(script)
  })
  loading.set(scriptUrl, loaded)
  loaded.catch(() => loading.delete(scriptUrl))
  return loaded
}

/** From Stripe's own host, unless the server names another address. */
export async function loadStripe(publishableKey: string, scriptUrl: string | null): Promise<Stripe> {
  const stripe =
    scriptUrl === null ? await loadFromStripe(publishableKey) : (await loadFrom(scriptUrl))(publishableKey)
  if (stripe === null) throw new Error('Stripe.js did not start')
  return stripe
}
