import { Module } from '@nestjs/common'
import { CreateSummaryHandler } from './create-summary/create-summary.handler.ts'
import { StartSummary } from './create-summary/start-summary.ts'
import { GetSummaryHandler } from './get-summary/get-summary.handler.ts'
import { ListSummariesHandler } from './list-summaries/list-summaries.handler.ts'
import { SummariesController } from './summaries.controller.ts'
import { SweepSummaries } from './sweep-summaries/sweep-summaries.ts'

@Module({
  controllers: [SummariesController],
  providers: [CreateSummaryHandler, GetSummaryHandler, ListSummariesHandler, StartSummary, SweepSummaries],
})
export class SummariesModule {}
