import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'

const icons = { problem: IconAlertTriangle, success: IconCircleCheck, hint: IconInfoCircle }

type NoticeProps = {
  kind: keyof typeof icons
  title?: string
  children?: ReactNode
  /** What the reader can do about it. */
  action?: ReactNode
}

/** Says what happened and what to do. A problem is announced at once, the rest when the reader is idle. */
export function Notice({ kind, title, children, action }: NoticeProps) {
  const Icon = icons[kind]
  return (
    <div className={classes.notice} data-kind={kind} role={kind === 'problem' ? 'alert' : 'status'}>
      <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {action !== undefined && <div className={classes.action}>{action}</div>}
      </div>
    </div>
  )
}
