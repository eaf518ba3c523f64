import type { Summary } from '@earmark/contracts/summaries'
import { Button, Progress } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { summaryPrice } from '../credits/prices.ts'
import classes from './SummaryCard.module.css'

export type SummaryCardProps = {
  name: string
  description: string
  /** Null where none was asked for yet. */
  summary: Summary | null
  /** Of a completed one, in a sentence. */
  overview: string | null
  /** Why it could not be created. */
  problem: string | null
  /** Its progress could not be read; the work itself goes on. */
  isLost: boolean
  onGenerate: () => void
  onCheckAgain: () => void
}

export function SummaryCard(props: SummaryCardProps) {
  const { name, description, summary, overview } = props
  const { card, noteThatItIsWanted } = useFocusOnStart(summary?.id)
  const isCompleted = summary?.status === 'completed'
  return (
    <li className={classes.card} ref={card} tabIndex={-1}>
      <div className={classes.head}>
        <h3 className={classes.name}>{name}</h3>
        <span role="status">
          <Badge summary={summary} />
        </span>
      </div>
      <p className={isCompleted ? classes.overview : classes.description}>
        {isCompleted ? (overview ?? description) : description}
      </p>
      {props.problem !== null && (
        <p className={classes.failure} role="alert">
          {props.problem}
        </p>
      )}
      <Rest
        {...props}
        onGenerate={() => {
          noteThatItIsWanted()
          props.onGenerate()
        }}
      />
    </li>
  )
}

/** The button that had the focus goes when its work begins: the card takes it. */
function useFocusOnStart(summaryId: string | undefined) {
  const card = useRef<HTMLLIElement>(null)
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isWanted.current) return
    isWanted.current = false
    card.current?.focus()
  }, [summaryId])
  return {
    card,
    noteThatItIsWanted: () => {
      isWanted.current = true
    },
  }
}

function Badge({ summary }: Pick<SummaryCardProps, 'summary'>): ReactNode {
  switch (summary?.status) {
    case undefined:
      return <span className={classes.price}>{summaryPrice} credits</span>
    case 'pending':
      return <StatusBadge tone="waiting">Queuing...</StatusBadge>
    case 'processing':
      return <StatusBadge tone="waiting">Generating...</StatusBadge>
    case 'completed':
      return <StatusBadge tone="good">✓ Complete</StatusBadge>
    case 'failed':
      return <StatusBadge tone="bad">Failed</StatusBadge>
  }
}

function Rest({ name, summary, isLost, onGenerate, onCheckAgain }: SummaryCardProps): ReactNode {
  if (summary === null) {
    return (
      <Button variant="default" h={40} aria-label={`Generate ${name}`} onClick={onGenerate}>
        Generate
      </Button>
    )
  }
  if (summary.status === 'failed') {
    return (
      <>
        <p
          className={classes.failure}
          role="alert"
        >{`Failed: ${summary.error_message ?? 'unknown reason'}`}</p>
        <Button variant="default" h={40} aria-label={`Retry ${name}`} onClick={onGenerate}>
          Retry
        </Button>
      </>
    )
  }
  if (summary.status === 'completed') return null
  if (isLost) {
    return (
      <>
        <p className={classes.failure} role="alert">
          Its progress could not be read. It goes on without this page.
        </p>
        <Button variant="default" h={40} onClick={onCheckAgain}>
          Check Again
        </Button>
      </>
    )
  }
  return <Work name={name} summary={summary} />
}

function Work({ name, summary }: { name: string; summary: Summary }) {
  const percent = summary.status === 'processing' ? summary.progress_percent : null
  return (
    <>
      {summary.status === 'processing' && summary.error_message !== null && (
        <p className={classes.stage}>{summary.error_message}</p>
      )}
      {percent !== null && (
        <Progress.Root size={6} className={classes.bar ?? ''}>
          <Progress.Section value={percent} color="var(--em-pine)" aria-label={`Progress of ${name}`} />
        </Progress.Root>
      )}
    </>
  )
}
