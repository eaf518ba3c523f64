import type { CheckoutSession } from '@earmark/contracts/payments'
import { Button, Skeleton } from '@mantine/core'
import { EmbeddedCheckout, EmbeddedCheckoutProvider } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useState } from 'react'
import { Notice } from '../../ui/Notice.tsx'
import { loadStripe } from './load-stripe.ts'
import { oneCheckoutAtATime } from './one-checkout.ts'

type Loaded = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; stripe: Stripe }

type StripeCheckoutProps = { session: CheckoutSession }

/** The card provider's own form, from its own script. The default export is for `lazy`. */
export default function StripeCheckout({ session }: StripeCheckoutProps) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt key={attempt} session={session} onRetry={() => setAttempt(attempt + 1)} />
}

function Attempt({ session, onRetry }: StripeCheckoutProps & { onRetry: () => void }) {
  const { publishable_key, stripe_js_url, client_secret } = session
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' })

  useEffect(() => {
    let isGone = false
    let release: (() => void) | undefined
    const fail = () => setLoaded({ state: 'failed' })
    loadStripe(publishable_key, stripe_js_url).then((stripe) => {
      if (isGone) return
      const guarded = oneCheckoutAtATime(stripe, fail)
      release = guarded.release
      setLoaded({ state: 'ready', stripe: guarded.stripe })
    }, fail)
    return () => {
      isGone = true
      release?.()
    }
  }, [publishable_key, stripe_js_url])

  switch (loaded.state) {
    case 'loading':
      return <Skeleton height={420} radius="lg" role="status" aria-label="Loading the checkout" />
    case 'failed':
      return (
        <Notice
          kind="problem"
          title="The checkout could not be loaded"
          action={
            <Button variant="default" h={36} onClick={onRetry}>
              Try Again
            </Button>
          }
        >
          Nothing was charged. Check your connection, and that nothing blocks the card provider’s page.
        </Notice>
      )
    case 'ready':
      return (
        <EmbeddedCheckoutProvider stripe={loaded.stripe} options={{ clientSecret: client_secret }}>
          <EmbeddedCheckout />
        </EmbeddedCheckoutProvider>
      )
  }
}
