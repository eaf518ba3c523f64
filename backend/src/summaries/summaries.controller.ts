import { Controller } from '@nestjs/common'
import { CommandBus, QueryBus } from '@nestjs/cqrs'
import { Implement, implement } from '@orpc/nest'
import { summariesContract as contract } from '@earmark/contracts/summaries'
import { CurrentUser, type SignedInUser } from '../platform/http/access.ts'
import { CreateSummary } from './create-summary/create-summary.handler.ts'
import { GetSummary } from './get-summary/get-summary.handler.ts'
import { ListSummaries } from './list-summaries/list-summaries.handler.ts'

@Controller()
export class SummariesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Implement(contract.create)
  create(@CurrentUser() user: SignedInUser) {
    return implement(contract.create).handler(({ input }) =>
      this.commands.execute(new CreateSummary(user.id, input.transcript_id, input.summary_type)),
    )
  }

  @Implement(contract.get)
  get(@CurrentUser() user: SignedInUser) {
    return implement(contract.get).handler(({ input }) =>
      this.queries.execute(new GetSummary(user.id, input.id)),
    )
  }

  @Implement(contract.ofTranscript)
  ofTranscript(@CurrentUser() user: SignedInUser) {
    return implement(contract.ofTranscript).handler(({ input }) =>
      this.queries.execute(new ListSummaries(user.id, input.id)),
    )
  }
}
