import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode }

/** What this place is for, and its one action. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {children !== undefined && <p className={classes.words}>{children}</p>}
      {action}
    </div>
  )
}
