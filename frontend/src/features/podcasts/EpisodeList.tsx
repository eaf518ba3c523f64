import type { Episode } from '@earmark/contracts/podcasts'
import {
  chargedMinutes,
  microcreditsPerCredit,
  transcriptionPriceMicrocredits,
} from '@earmark/contracts/pricing'
import { Button, Skeleton } from '@mantine/core'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { formatCount, formatCredits, formatDate, formatMinutes, formatSize } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './EpisodeList.module.css'
import { newTranscriptLink, type PassedPodcast } from './podcast-state.ts'

export type EpisodeListProps = {
  podcast: PassedPodcast | undefined
  /** Undefined while the first page loads. */
  episodes: Episode[] | undefined
  isStale: boolean
  isSlow: boolean
  hasMore: boolean
  isLoadingMore: boolean
  errorMessage: string | null
  onLoadMore: () => void
  onRetry: () => void
}

export function EpisodeList(props: EpisodeListProps) {
  const { podcast, episodes, errorMessage } = props
  if (errorMessage !== null) {
    return (
      <Notice
        kind="problem"
        title="The episodes could not be loaded"
        action={
          <Button variant="default" h={36} onClick={props.onRetry}>
            Try Again
          </Button>
        }
      >
        {errorMessage}
      </Notice>
    )
  }
  if (episodes === undefined || podcast === undefined) return <LoadingEpisodes isSlow={props.isSlow} />
  if (episodes.length === 0) {
    return (
      <EmptyState title="No episodes found">Try other words, or clear the search to see them all.</EmptyState>
    )
  }
  return (
    <section aria-label="Episodes" aria-busy={props.isStale}>
      <ul className={classes.list}>
        {episodes.map((episode) => (
          <EpisodeRow key={episode.id} episode={episode} podcast={podcast} />
        ))}
      </ul>
      {props.hasMore && (
        <div className={classes.more}>
          <Button variant="default" loading={props.isLoadingMore} onClick={props.onLoadMore}>
            Load More
          </Button>
        </div>
      )}
    </section>
  )
}

function EpisodeRow({ episode, podcast }: { episode: Episode; podcast: PassedPodcast }) {
  const { to, state } = newTranscriptLink(episode, podcast)
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <h2 className={classes.title}>{episode.title}</h2>
        <p className={classes.description}>{episode.description || 'No description available'}</p>
        <p className={classes.facts}>
          {[
            formatDate(episode.published_at),
            formatMinutes(episode.duration_seconds),
            formatSize(episode.filesize_mb),
          ].join(' · ')}
        </p>
      </div>
      <div className={classes.action}>
        {episode.duration_seconds !== null && (
          <span className={classes.price}>
            {formatCredits(transcriptionPriceMicrocredits(episode.duration_seconds) / microcreditsPerCredit)}{' '}
            credits for{' '}
            {formatCount(chargedMinutes(episode.duration_seconds), 'started minute', 'started minutes')}
          </span>
        )}
        <Button
          component={Link}
          to={to}
          state={state}
          variant="default"
          aria-label={`Transcribe ${episode.title}`}
        >
          Transcribe
        </Button>
      </div>
    </li>
  )
}

function LoadingEpisodes({ isSlow }: { isSlow: boolean }) {
  return (
    <>
      {isSlow && (
        <Notice kind="hint">This podcast has a large episode library. First load can take a while.</Notice>
      )}
      <div role="status" aria-label="Loading episodes">
        {[0, 1, 2, 3, 4].map((row) => (
          <div key={row} className={classes.row}>
            <div className={classes.words}>
              <Skeleton width="46%" height={18} mb={12} />
              <Skeleton width="92%" height={14} mb={12} />
              <Skeleton width="28%" height={12} />
            </div>
            <Skeleton width={112} height={44} />
          </div>
        ))}
      </div>
    </>
  )
}
