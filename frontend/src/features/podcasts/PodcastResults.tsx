import type { Feed } from '@earmark/contracts/podcasts'
import { Button, Skeleton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { Artwork } from '../../ui/Artwork.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { formatCount } from '../../ui/format.ts'
import { Notice } from '../../ui/Notice.tsx'
import { episodesLink } from './podcast-state.ts'
import classes from './PodcastResults.module.css'

export type PodcastResultsProps = {
  /** Undefined before the first search and while it runs. */
  feeds: Feed[] | undefined
  isSearching: boolean
  /** In the server's words where it gave some; null when nothing went wrong. */
  errorMessage: string | null
  onRetry: () => void
}

export function PodcastResults({ feeds, isSearching, errorMessage, onRetry }: PodcastResultsProps) {
  if (errorMessage !== null && !isSearching) {
    return (
      <Notice
        kind="problem"
        title="The search did not work"
        action={
          <Button variant="default" h={36} onClick={onRetry}>
            Try Again
          </Button>
        }
      >
        {errorMessage}
      </Notice>
    )
  }
  if (feeds === undefined) return isSearching ? <LoadingRows /> : <Beginning />
  if (feeds.length === 0) {
    return (
      <EmptyState title="No podcasts found">Try fewer words, or the name of a show or its host.</EmptyState>
    )
  }
  return (
    <section aria-label="Results" aria-busy={isSearching}>
      <div className={classes.head}>
        <h2 className={classes.heading}>Results</h2>
        <p className={classes.count} role="status">
          {formatCount(feeds.length, 'show', 'shows')}
        </p>
      </div>
      <ul className={classes.list}>
        {feeds.map((feed) => (
          <PodcastRow key={feed.id} feed={feed} />
        ))}
      </ul>
    </section>
  )
}

function PodcastRow({ feed }: { feed: Feed }) {
  const { to, state } = episodesLink(feed, true)
  return (
    <li>
      <Link to={to} state={state} className={classes.row ?? ''}>
        <Artwork title={feed.title} url={feed.artwork || feed.image} size={72} />
        <span className={classes.words}>
          <span className={classes.title}>{feed.title}</span>
          <span className={classes.description}>{feed.description || 'No description available'}</span>
        </span>
        <IconChevronRight size={20} stroke={1.75} aria-hidden className={classes.chevron} />
      </Link>
    </li>
  )
}

function Beginning() {
  return (
    <EmptyState title="Start with a show">
      Type its name, a host or a topic. Pick an episode, see its price, and turn it into a transcript you can
      search.
    </EmptyState>
  )
}

function LoadingRows() {
  return (
    <div role="status" aria-label="Searching">
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton width={72} height={72} />
          <div className={classes.words}>
            <Skeleton width="32%" height={18} mb={12} />
            <Skeleton width="78%" height={14} />
          </div>
        </div>
      ))}
    </div>
  )
}
