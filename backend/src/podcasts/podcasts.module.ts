import { Module } from '@nestjs/common'
import { Feeds } from './feeds.ts'
import { ListEpisodesHandler } from './list-episodes/list-episodes.handler.ts'
import { RefreshFeed } from './list-episodes/refresh-feed.ts'
import { PodcastsController } from './podcasts.controller.ts'
import { SearchPodcastsHandler } from './search-podcasts/search-podcasts.handler.ts'

@Module({
  controllers: [PodcastsController],
  providers: [SearchPodcastsHandler, ListEpisodesHandler, RefreshFeed, Feeds],
})
export class PodcastsModule {}
