import { Button, Skeleton } from '@mantine/core'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { episodesLink, readNewTranscriptState } from '../../features/podcasts/podcast-state.ts'
import { ExistingTranscript } from '../../features/transcripts/ExistingTranscript.tsx'
import { StartTranscription } from '../../features/transcripts/StartTranscription.connected.tsx'
import { useExistingTranscript } from '../../features/transcripts/use-existing-transcript.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page, PageTitle } from '../../ui/Page.tsx'

export function NewTranscriptPage() {
  const navigate = useNavigate()
  const passed = readNewTranscriptState(useLocation().state)
  const episodeId = passed?.episode.id ?? ''
  const existing = useExistingTranscript(episodeId)

  if (passed === null) {
    return (
      <Page title="New transcript">
        <PageTitle>New transcript</PageTitle>
        <EmptyState
          title="Choose an episode first"
          action={
            <Button component={Link} to="/search">
              Search Podcasts
            </Button>
          }
        >
          A transcript begins at an episode. Find its show, and start it from there.
        </EmptyState>
      </Page>
    )
  }

  const { to, state } = episodesLink(passed.podcast, false)
  return (
    <Page title={passed.episode.title}>
      <BackLink label={passed.podcast.title} onBack={() => void navigate(to, { state })} />
      {existing.isPending ? (
        <div role="status" aria-label="Looking for an existing transcript">
          <Skeleton width={140} height={18} mb={12} />
          <Skeleton width="50%" height={44} />
        </div>
      ) : existing.data ? (
        <ExistingTranscript
          transcriptId={existing.data.id}
          status={existing.data.status}
          episodeTitle={passed.episode.title}
        />
      ) : (
        <StartTranscription episode={passed.episode} podcast={passed.podcast} />
      )}
    </Page>
  )
}
