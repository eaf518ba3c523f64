import { Loader, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { readProblem } from '../../api/problem.ts'
import { EpisodeList } from '../../features/podcasts/EpisodeList.tsx'
import { readEpisodesState } from '../../features/podcasts/podcast-state.ts'
import { PodcastHead } from '../../features/podcasts/PodcastHead.tsx'
import { episodeSearchDebounceMs } from '../../features/podcasts/search-rule.ts'
import { useEpisodes, useIsSlow } from '../../features/podcasts/use-episodes.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Page } from '../../ui/Page.tsx'
import classes from './SearchPage.module.css'

export function EpisodesPage() {
  const navigate = useNavigate()
  const { podcastId = '' } = useParams()
  const passed = readEpisodesState(useLocation().state)
  const [input, setInput] = useState('')
  const [search] = useDebouncedValue(input.trim(), episodeSearchDebounceMs)
  const episodes = useEpisodes(passed?.podcast.id || podcastId, search)
  const isSlow = useIsSlow(episodes.isLoading)
  const podcast = episodes.data?.pages[0]?.podcast ?? passed?.podcast

  return (
    <Page title={podcast?.title ?? 'Episodes'}>
      <BackLink
        label="Search"
        onBack={() => void (passed?.canGoBack === true ? navigate(-1) : navigate('/search'))}
      />
      <PodcastHead podcast={podcast} />
      <TextInput
        mt="lg"
        type="search"
        aria-label="Search episodes"
        placeholder="Search episodes"
        autoComplete="off"
        maxLength={200}
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
        leftSectionWidth={48}
        rightSection={episodes.isPlaceholderData && <Loader size={18} color="var(--em-pine)" aria-hidden />}
        value={input}
        onChange={(event) => setInput(event.currentTarget.value)}
      />
      <div className={classes.results}>
        <EpisodeList
          podcast={podcast}
          episodes={episodes.data?.pages.flatMap((page) => page.episodes)}
          isStale={episodes.isPlaceholderData}
          isSlow={isSlow}
          hasMore={episodes.hasNextPage}
          isLoadingMore={episodes.isFetchingNextPage}
          errorMessage={
            episodes.error === null
              ? null
              : (readProblem(episodes.error).detail ?? 'The server did not answer. Check your connection.')
          }
          onLoadMore={() => void episodes.fetchNextPage()}
          onRetry={() => void episodes.refetch()}
        />
      </div>
    </Page>
  )
}
