import { Button } from '@mantine/core'
import { Notice } from '../../ui/Notice.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import type { PassedEpisode } from '../podcasts/podcast-state.ts'
import classes from './ReadyToTranscribe.module.css'

type ReadyToTranscribeProps = {
  episode: PassedEpisode
  isStarting: boolean
  errorMessage: string | null
  onBegin: () => void
}

/** Whole minutes, as the spec words this panel. */
function wholeMinutes(durationSeconds: number | null): string {
  return durationSeconds === null
    ? 'Unknown duration'
    : `${Math.max(1, Math.round(durationSeconds / 60))} minutes`
}

export function ReadyToTranscribe({ episode, isStarting, errorMessage, onBegin }: ReadyToTranscribeProps) {
  const message = episode.audio_url === null ? 'No audio URL available for this episode' : errorMessage
  const size = episode.filesize_mb ?? null
  return (
    <>
      <p className={classes.kicker}>Ready to Transcribe</p>
      <PageTitle>{episode.title}</PageTitle>
      <dl className={classes.facts}>
        <div>
          <dt>Duration</dt>
          <dd>{wholeMinutes(episode.duration_seconds)}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>{size === null ? 'Unknown size' : `${size.toFixed(1)} MB`}</dd>
        </div>
      </dl>
      {message !== null && <Notice kind="problem">{message}</Notice>}
      <Button size="md" mt="lg" disabled={isStarting || episode.audio_url === null} onClick={onBegin}>
        {isStarting ? 'Starting Transcription...' : 'Begin Transcription'}
      </Button>
      <p className={classes.hint}>You see the price first. Nothing is charged before you confirm it.</p>
    </>
  )
}
