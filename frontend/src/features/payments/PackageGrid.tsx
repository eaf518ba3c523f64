import type { CreditPackage } from '@earmark/contracts/payments'
import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDollars } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import classes from './PackageGrid.module.css'

export type PackagesState =
  | { state: 'loading' }
  | { state: 'failed'; onRetry: () => void }
  | { state: 'known'; packages: CreditPackage[] }

type PackageGridProps = {
  packages: PackagesState
  /** What can be done with a package, at the foot of its card. */
  action?: ((offer: CreditPackage, isFirst: boolean) => ReactNode) | undefined
}

export function PackageGrid({ packages, action }: PackageGridProps) {
  switch (packages.state) {
    case 'loading':
      return (
        <div role="status" aria-label="Loading the credit packages" className={classes.grid}>
          {[0, 1, 2].map((card) => (
            <Skeleton key={card} height={220} radius="lg" />
          ))}
        </div>
      )
    case 'failed':
      return (
        <Notice
          kind="problem"
          action={
            <Button variant="default" h={36} onClick={packages.onRetry}>
              Try Again
            </Button>
          }
        >
          Failed to load credit packages. Please try again.
        </Notice>
      )
    case 'known':
      return packages.packages.length === 0 ? (
        <Notice kind="hint">No credit packages available at this time.</Notice>
      ) : (
        <ul className={classes.grid}>
          {packages.packages.map((offer, index) => (
            <PackageCard key={offer.id} offer={offer} action={action?.(offer, index === 0)} />
          ))}
        </ul>
      )
  }
}

type PackageCardProps = { offer: CreditPackage; action: ReactNode }

function PackageCard({ offer, action }: PackageCardProps) {
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <h2 className={classes.name}>{offer.name}</h2>
        {offer.discount_percent > 0 && (
          <StatusBadge tone="good">{`${offer.discount_percent}% discount`}</StatusBadge>
        )}
      </div>
      <p className={classes.credits}>
        <span className={classes.amount}>{offer.credits}</span> credits
      </p>
      <p className={classes.price}>{formatDollars(offer.price)}</p>
      <p className={classes.description}>{offer.description}</p>
      {action}
    </li>
  )
}
