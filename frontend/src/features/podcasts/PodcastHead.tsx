import { Skeleton } from '@mantine/core'
import { Artwork } from '../../ui/Artwork.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import type { PassedPodcast } from './podcast-state.ts'
import classes from './PodcastHead.module.css'

/** `podcast` is undefined while it loads. */
export function PodcastHead({ podcast }: { podcast: PassedPodcast | undefined }) {
  if (podcast === undefined) {
    return (
      <div className={classes.head}>
        <Skeleton width={104} height={104} />
        <Skeleton width="40%" height={40} />
      </div>
    )
  }
  return (
    <div className={classes.head}>
      <Artwork title={podcast.title} url={podcast.image} size={104} />
      <div className={classes.words}>
        <PageTitle>{podcast.title}</PageTitle>
        <p className={classes.description}>{podcast.description || 'No description available'}</p>
      </div>
    </div>
  )
}
