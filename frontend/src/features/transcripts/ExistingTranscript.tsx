import type { TranscriptStatus } from '@earmark/contracts/transcripts'
import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { PageTitle } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import classes from './ReadyToTranscribe.module.css'

const tones = { pending: 'waiting', processing: 'waiting', completed: 'good', failed: 'bad' } as const

type ExistingTranscriptProps = { transcriptId: string; status: TranscriptStatus; episodeTitle: string }

export function ExistingTranscript({ transcriptId, status, episodeTitle }: ExistingTranscriptProps) {
  return (
    <>
      <p className={classes.kicker}>Transcript Already Exists</p>
      <PageTitle>{episodeTitle}</PageTitle>
      <p>
        Status: <StatusBadge tone={tones[status]}>{status}</StatusBadge>
      </p>
      <Button component={Link} to={`/transcript/${transcriptId}`} size="md" mt="sm">
        View Existing Transcript
      </Button>
      <p className={classes.hint}>It was paid for once. Opening it again costs nothing.</p>
    </>
  )
}
