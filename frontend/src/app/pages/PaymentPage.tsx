import { Button, Skeleton } from '@mantine/core'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useBalance } from '../../features/credits/use-balance.ts'
import { Checkout } from '../../features/payments/Checkout.tsx'
import { HowCreditsWork } from '../../features/payments/HowCreditsWork.tsx'
import { PackageGrid } from '../../features/payments/PackageGrid.tsx'
import { useCheckout } from '../../features/payments/use-checkout.ts'
import { usePackages } from '../../features/payments/use-packages.ts'
import { formatCredits } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Page, PageLead, PageTitle } from '../../ui/Page.tsx'
import classes from './payment-pages.module.css'

const StripeCheckout = lazy(() => import('../../features/payments/StripeCheckout.tsx'))
const formPlaceholder = <Skeleton height={420} radius="lg" role="status" aria-label="Loading the checkout" />

export function PaymentPage() {
  const { credits } = useBalance()
  const packages = usePackages()
  const { offer, session, pendingId, problem, purchase, goBack } = useCheckout(packages)
  useFocusOnReturn(offer?.id ?? null)

  if (offer !== null) {
    return (
      <Page title="Complete Purchase">
        <Checkout
          offer={offer}
          form={
            session === null ? (
              formPlaceholder
            ) : (
              <Suspense fallback={formPlaceholder}>
                <StripeCheckout key={session.session_id} session={session} />
              </Suspense>
            )
          }
          onBack={goBack}
        />
      </Page>
    )
  }

  return (
    <Page title="Buy Credits">
      <PageTitle>Buy Credits</PageTitle>
      <PageLead>
        Current balance: <strong>{formatCredits(credits)}</strong>
      </PageLead>
      <div className={classes.content}>
        {problem !== null && <Notice kind="problem">{problem}</Notice>}
        <PackageGrid
          packages={packages}
          action={(offered, isFirst) => (
            <Button
              id={buttonOf(offered.id)}
              variant={isFirst ? 'filled' : 'default'}
              aria-label={`Purchase ${offered.name}`}
              fullWidth
              disabled={pendingId !== null}
              loading={pendingId === offered.id}
              onClick={() => purchase(offered)}
            >
              Purchase
            </Button>
          )}
        />
      </div>
      <HowCreditsWork />
    </Page>
  )
}

const buttonOf = (packageId: string) => `purchase-${packageId}`

/** Back from a checkout, the reader is where they left. */
function useFocusOnReturn(openId: string | null): void {
  const lastId = useRef(openId)
  useEffect(() => {
    if (openId === null && lastId.current !== null) document.getElementById(buttonOf(lastId.current))?.focus()
    lastId.current = openId
  }, [openId])
}
