import { Controller } from '@nestjs/common'
import { QueryBus } from '@nestjs/cqrs'
import { Implement, implement } from '@orpc/nest'
import { podcastsContract as contract } from '@earmark/contracts/podcasts'
import { ListEpisodes } from './list-episodes/list-episodes.handler.ts'
import { SearchPodcasts } from './search-podcasts/search-podcasts.handler.ts'

@Controller()
export class PodcastsController {
  constructor(private readonly queries: QueryBus) {}

  @Implement(contract.search)
  search() {
    return implement(contract.search).handler(async ({ input }) => ({
      feeds: await this.queries.execute(new SearchPodcasts(input.term)),
    }))
  }

  @Implement(contract.episodes)
  episodes() {
    return implement(contract.episodes).handler(({ input: { feed, page, limit, offset, search } }) =>
      this.queries.execute(new ListEpisodes(feed, { offset: offset ?? (page - 1) * limit, limit, search })),
    )
  }
}
