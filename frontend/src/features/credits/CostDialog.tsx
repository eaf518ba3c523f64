import { chargedMinutes } from '@earmark/contracts/pricing'
import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCount, formatCredits, formatExactDuration } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './CostDialog.module.css'
import { type Estimate, missingCredits, requiredCredits } from './estimate.ts'
import { minutePrice, summaryPrice } from './prices.ts'

export type PricedOperation =
  /** The length as the feed says; null where it says nothing. */
  | { type: 'transcription'; durationSeconds: number | null }
  | { type: 'summary'; name: string; wordCount: number | null }

export type CostDialogProps = {
  isOpen: boolean
  operation: PricedOperation
  episodeTitle: string
  estimate: Estimate
  /** Null while it is unknown. */
  balanceCredits: number | null
  /** Taken back from a purchase after it was spent; 0: nothing. */
  owedCredits: number
  /** Null unless the balance could not be loaded. */
  onRetryBalance: (() => void) | null
  isStarting: boolean
  onConfirm: () => void
  onCancel: () => void
}

const words = {
  transcription: {
    title: 'Confirm transcription',
    promise: 'If it fails, or the audio is shorter than its feed says, the difference comes back.',
    confirm: 'Begin Transcription',
    starting: 'Starting Transcription...',
  },
  summary: {
    title: 'Confirm summary',
    promise: 'If it fails, its credits come back.',
    confirm: 'Generate',
    starting: 'Starting...',
  },
}

/** What an operation costs, before it is paid. */
export function CostDialog(props: CostDialogProps) {
  const { estimate, balanceCredits, owedCredits, isStarting } = props
  const { title, promise, confirm, starting } = words[props.operation.type]
  const required = requiredCredits(estimate)
  const missing =
    required === null || balanceCredits === null ? 0 : missingCredits(required, balanceCredits, owedCredits)
  const mayStart = required !== null && balanceCredits !== null && missing === 0 && !isStarting
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onCancel} title={title}>
      <p className={classes.episode}>{props.episodeTitle}</p>
      <CostRows {...props} />
      {estimate.state === 'failed' && (
        <Notice kind="problem">{`Unable to estimate cost: ${estimate.message}`}</Notice>
      )}
      {missing > 0 && (
        <Notice
          kind="problem"
          title="Insufficient credits"
          action={
            <Button component={Link} to="/payment" variant="default" h={36}>
              Buy More Credits
            </Button>
          }
        >
          {`You need ${formatCredits(missing)} more credits to complete this operation.`}
        </Notice>
      )}
      {balanceCredits === null && props.onRetryBalance !== null && (
        <Notice
          kind="problem"
          action={
            <Button variant="default" h={36} onClick={props.onRetryBalance}>
              Try Again
            </Button>
          }
        >
          Your balance could not be loaded. Nothing was charged.
        </Notice>
      )}
      <p className={classes.promise}>{promise}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={props.onCancel} data-autofocus>
          Cancel
        </Button>
        <Button disabled={!mayStart} onClick={props.onConfirm}>
          {isStarting ? starting : confirm}
        </Button>
      </div>
    </Dialog>
  )
}

function CostRows({ operation, estimate, balanceCredits, owedCredits }: CostDialogProps) {
  return (
    <dl className={classes.rows}>
      {operation.type === 'transcription' ? (
        <>
          <Row name="Audio">{audioOf(operation.durationSeconds)}</Row>
          <Row name="Price">{minutePrice} credits for each started minute</Row>
        </>
      ) : (
        <>
          <Row name="Summary">{operation.name}</Row>
          {operation.wordCount !== null && (
            <Row name="Transcript">{formatCount(operation.wordCount, 'word', 'words')}</Row>
          )}
          <Row name="Price">{summaryPrice} credits each, flat</Row>
        </>
      )}
      <Row name="Cost">
        <Cost estimate={estimate} />
      </Row>
      <Row name="Your balance">
        {estimate.state === 'known' && balanceCredits !== null && balanceCredits >= estimate.credits ? (
          <>
            {formatCredits(balanceCredits)} →{' '}
            <strong>{formatCredits(balanceCredits - estimate.credits)}</strong>
          </>
        ) : (
          formatCredits(balanceCredits)
        )}
      </Row>
      {owedCredits > 0 && <Row name="You owe">{formatCredits(owedCredits)}</Row>}
    </dl>
  )
}

function audioOf(durationSeconds: number | null): string {
  return durationSeconds === null
    ? 'Unknown duration'
    : `${formatExactDuration(durationSeconds)}, charged as ${chargedMinutes(durationSeconds)} min`
}

function Cost({ estimate }: { estimate: Estimate }) {
  switch (estimate.state) {
    case 'known':
      return <strong>{formatCredits(estimate.credits)} credits</strong>
    case 'unknown_length':
      return 'Charged once the audio was measured'
    case 'failed':
      return '--'
    case 'loading':
      return <Skeleton width={88} height={18} aria-label="Estimating" role="status" />
  }
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.row}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
