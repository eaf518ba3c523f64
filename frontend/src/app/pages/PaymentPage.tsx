import type { CheckoutSession, CreditPackage } from '@earmark/contracts/payments'
import { Button, Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useBalance } from '../../features/credits/use-balance.ts'
import { Checkout } from '../../features/payments/Checkout.tsx'
import { HowCreditsWork } from '../../features/payments/HowCreditsWork.tsx'
import { PackageGrid } from '../../features/payments/PackageGrid.tsx'
import { checkoutProblem, useCreateCheckout } from '../../features/payments/use-checkout.ts'
import { usePackages } from '../../features/payments/use-packages.ts'
import { formatCredits } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Page, PageLead, PageTitle } from '../../ui/Page.tsx'
import classes from './payment-pages.module.css'

const StripeCheckout = lazy(() => import('../../features/payments/StripeCheckout.tsx'))

export function PaymentPage() {
  const { credits } = useBalance()
  const { packages, refetch } = usePackages()
  const create = useCreateCheckout()
  const [checkout, setCheckout] = useState<{ offer: CreditPackage; session: CheckoutSession } | null>(null)
  const problem = create.error === null ? null : checkoutProblem(create.error)

  const purchase = (offer: CreditPackage) => {
    create.mutate(
      { package_id: offer.id, price: offer.price, credits: offer.credits },
      {
        onSuccess: (session) => setCheckout({ offer, session }),
        onError: (error) => {
          if (checkoutProblem(error).isPackageChanged) refetch()
        },
      },
    )
  }

  if (checkout !== null) {
    return (
      <Page title="Complete Purchase">
        <Checkout
          offer={checkout.offer}
          form={
            <Suspense fallback={<Skeleton height={420} radius="lg" />}>
              <StripeCheckout key={checkout.session.session_id} session={checkout.session} />
            </Suspense>
          }
          onBack={() => {
            setCheckout(null)
            create.reset()
          }}
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
        {problem !== null && <Notice kind="problem">{problem.message}</Notice>}
        <PackageGrid
          packages={packages}
          action={(offer, isFirst) => (
            <Button
              variant={isFirst ? 'filled' : 'default'}
              aria-label={`Purchase ${offer.name}`}
              fullWidth
              disabled={create.isPending}
              loading={create.isPending && create.variables.package_id === offer.id}
              onClick={() => purchase(offer)}
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
