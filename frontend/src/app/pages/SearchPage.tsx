import { readProblem } from '../../api/problem.ts'
import { PodcastResults } from '../../features/podcasts/PodcastResults.tsx'
import { PodcastSearchForm } from '../../features/podcasts/PodcastSearchForm.tsx'
import { usePodcastSearch } from '../../features/podcasts/use-podcast-search.ts'
import { Page, PageTitle } from '../../ui/Page.tsx'
import classes from './SearchPage.module.css'

export function SearchPage() {
  const search = usePodcastSearch()
  return (
    <Page title="Search">
      <PageTitle>Find a podcast</PageTitle>
      <PodcastSearchForm
        value={search.input}
        isSearching={search.isSearching}
        onChange={search.changeInput}
        onSearch={search.searchNow}
      />
      <div className={classes.results}>
        <PodcastResults
          feeds={search.feeds}
          isSearching={search.isSearching}
          errorMessage={
            search.error === null
              ? null
              : (readProblem(search.error).detail ?? 'The server did not answer. Check your connection.')
          }
          onRetry={search.searchNow}
        />
      </div>
    </Page>
  )
}
