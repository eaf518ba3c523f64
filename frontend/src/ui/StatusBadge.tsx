import type { ReactNode } from 'react'
import classes from './StatusBadge.module.css'

type StatusBadgeProps = { tone: 'good' | 'waiting' | 'bad'; icon?: ReactNode; children: ReactNode }

/** A state in a word; the colour only repeats it. */
export function StatusBadge({ tone, icon, children }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {icon}
      {children}
    </span>
  )
}
