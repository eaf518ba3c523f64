import { Button, Skeleton } from '@mantine/core'
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom'
import { readProblem } from '../../api/problem.ts'
import { episodesLink, readNewTranscriptState } from '../../features/podcasts/podcast-state.ts'
import { TranscriptView } from '../../features/transcripts/TranscriptView.connected.tsx'
import { useTranscript } from '../../features/transcripts/use-transcript.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Page, PageTitle } from '../../ui/Page.tsx'

export function TranscriptPage() {
  const navigate = useNavigate()
  const { transcriptId = '' } = useParams()
  const passed = readNewTranscriptState(useLocation().state)
  const { data: transcript, error, refetch } = useTranscript(transcriptId)
  const status = readProblem(error).status
  const isMissing = error !== null && (status === 404 || status === 400)

  const goBack = () => {
    if (passed === null) return void navigate('/search')
    const { to, state } = episodesLink(passed.podcast, false)
    return void navigate(to, { state })
  }

  return (
    <Page title={transcript?.episode_title ?? 'Transcript'}>
      <BackLink label={passed?.podcast.title ?? 'Search'} onBack={goBack} />
      {transcript !== undefined ? (
        <TranscriptView transcript={transcript} />
      ) : isMissing ? (
        <>
          <PageTitle>Transcript Not Found</PageTitle>
          <EmptyState
            title="There is no such transcript"
            action={
              <Button component={Link} to="/search">
                Search Podcasts
              </Button>
            }
          >
            It may belong to another account, or it was deleted.
          </EmptyState>
        </>
      ) : error !== null ? (
        <Notice
          kind="problem"
          action={
            <Button variant="default" h={36} onClick={() => void refetch()}>
              Try Again
            </Button>
          }
        >
          Failed to load transcript details
        </Notice>
      ) : (
        <LoadingTranscript />
      )}
    </Page>
  )
}

function LoadingTranscript() {
  return (
    <div role="status" aria-label="Loading the transcript">
      <Skeleton width="54%" height={44} mb={16} />
      <Skeleton width={220} height={26} mb={32} />
      {['88%', '96%', '74%', '91%'].map((width) => (
        <Skeleton key={width} width={width} height={18} mb={20} />
      ))}
    </div>
  )
}
