import { Button, Progress } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Transcript } from '@earmark/contracts/transcripts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './TranscriptProgress.module.css'

type WaitingProps = { transcript: Pick<Transcript, 'status' | 'error_message' | 'progress_percent'> }

/** Pending or processing: its stage in words, a bar where the share is known, and what the reader may do meanwhile. */
export function TranscriptWaiting({ transcript }: WaitingProps) {
  const isPending = transcript.status === 'pending'
  const stage = isPending
    ? 'Queuing transcript for processing...'
    : (transcript.error_message ?? 'Processing transcript...')
  const percent = isPending ? null : transcript.progress_percent
  return (
    <section className={classes.panel} aria-label="Progress">
      <p className={classes.stage} role="status">
        {stage}
      </p>
      {percent === null ? (
        <div className={classes.indeterminate} />
      ) : (
        <div className={classes.share}>
          <Progress.Root size={6} color="var(--em-pine)" className={classes.bar ?? ''}>
            <Progress.Section value={percent} color="var(--em-pine)" aria-label="Transcribed" />
          </Progress.Root>
          <span className="em-tabular">{percent} %</span>
        </div>
      )}
      <p className={classes.placeholder}>
        {isPending
          ? 'Transcript will appear here once processing begins...'
          : 'Transcript is being processed...'}
      </p>
      <p className={classes.meanwhile}>
        You may leave this page: the work goes on without it. <Link to="/search">Find another podcast</Link>
      </p>
    </section>
  )
}

type FailedProps = {
  /** Why, and that the credits are back. */
  message: string | null
  onRetry: () => void
}

export function TranscriptFailed({ message, onRetry }: FailedProps) {
  return (
    <section className={classes.panel} aria-label="What happened">
      <Notice kind="problem" title="Transcription Failed">
        {message}
      </Notice>
      <p className={classes.placeholder}>Transcription failed. Please try again.</p>
      <Button mt="md" onClick={onRetry}>
        Try Again
      </Button>
    </section>
  )
}
