import { IconAlertTriangle, IconCoin } from '@tabler/icons-react'
import { formatCredits } from '../../ui/format.ts'
import classes from './BalanceBadge.module.css'
import { balanceBand, type BalanceBand } from './balance-band.ts'

const words: Record<BalanceBand, string> = {
  loading: 'loading',
  empty: 'empty',
  low: 'low',
  medium: 'medium',
  good: 'good',
}

/** What a screen reader says of the badge. */
export function describeBalance(credits: number | null): string {
  return credits === null
    ? 'Credit balance, loading'
    : `Credit balance: ${formatCredits(credits)}, ${words[balanceBand(credits)]}`
}

export function BalanceBadge({ credits }: { credits: number | null }) {
  const band = balanceBand(credits)
  const Icon = band === 'empty' || band === 'low' ? IconAlertTriangle : IconCoin
  return (
    <span className={classes.badge} data-band={band}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className="em-tabular">{formatCredits(credits)}</span>
    </span>
  )
}
