import { Module } from '@nestjs/common'
import { LedgerModule } from '../../credits/credits.module.ts'
import { LanguageModel } from './language-model.ts'
import { SummariseActivities } from './summarise.activities.ts'
import { SummaryCharges } from './summary-charges.ts'
import { SummaryRecords } from './summary-records.ts'

/** The worker's part of a summary. */
@Module({
  imports: [LedgerModule],
  providers: [SummariseActivities, SummaryCharges, SummaryRecords, LanguageModel],
})
export class SummariseModule {}
