import { Controller } from '@nestjs/common'
import { CommandBus, QueryBus } from '@nestjs/cqrs'
import { Implement, implement } from '@orpc/nest'
import { transcriptsContract as contract } from '@earmark/contracts/transcripts'
import { CurrentUser, type SignedInUser } from '../platform/http/access.ts'
import { CreateTranscript } from './create-transcript/create-transcript.handler.ts'
import { GetTranscript } from './get-transcript/get-transcript.handler.ts'
import { ListTranscripts } from './list-transcripts/list-transcripts.handler.ts'

@Controller()
export class TranscriptsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Implement(contract.create)
  create(@CurrentUser() user: SignedInUser) {
    return implement(contract.create).handler(({ input }) =>
      this.commands.execute(
        new CreateTranscript(user.id, {
          episodeId: input.episode_id,
          audioUrl: input.audio_url,
          episodeTitle: input.episode_title ?? null,
          podcastTitle: input.podcast_title ?? null,
          // A feed that says 0 says nothing.
          claimedDurationSeconds: Math.ceil(input.duration_seconds ?? 0) || null,
        }),
      ),
    )
  }

  @Implement(contract.get)
  get(@CurrentUser() user: SignedInUser) {
    return implement(contract.get).handler(({ input }) =>
      this.queries.execute(new GetTranscript(user.id, input.id)),
    )
  }

  @Implement(contract.getSaved)
  getSaved(@CurrentUser() user: SignedInUser) {
    return implement(contract.getSaved).handler(({ input }) =>
      this.queries.execute(new GetTranscript(user.id, input.id)),
    )
  }

  @Implement(contract.list)
  list(@CurrentUser() user: SignedInUser) {
    return implement(contract.list).handler(({ input }) =>
      this.queries.execute(
        new ListTranscripts(user.id, {
          page: input.page,
          limit: input.limit,
          archived: input.archived === 'true',
          search: input.search,
          tags: (input.tags ?? '')
            .split(',')
            .map((tag) => tag.trim())
            .filter(Boolean),
          episodeId: input.episode_id,
        }),
      ),
    )
  }
}
