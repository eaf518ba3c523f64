import type { CreditPackage } from '@earmark/contracts/payments'
import { type ReactNode, useEffect, useRef } from 'react'
import { BackLink } from '../../ui/BackLink.tsx'
import { formatDollars } from '../../ui/format.ts'
import { PageTitle } from '../../ui/Page.tsx'
import classes from './Checkout.module.css'

type CheckoutProps = {
  offer: CreditPackage
  /** The card provider's own form. */
  form: ReactNode
  onBack: () => void
}

export function Checkout({ offer, form, onBack }: CheckoutProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <BackLink label="Back to Packages" onBack={onBack} />
      <PageTitle ref={title}>Complete Purchase</PageTitle>
      <p className={classes.offer}>
        <strong>{offer.name}</strong> · {offer.credits} credits · {formatDollars(offer.price)}
      </p>
      <div className={classes.form}>{form}</div>
    </>
  )
}
