import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common'
import type { Logger } from 'pino'
import { ConfirmPaymentActivities } from './payments/confirm-payment/confirm-payment.activities.ts'
import { ConfirmPaymentModule } from './payments/confirm-payment/confirm-payment.module.ts'
import type { Config } from './platform/config/config.ts'
import { PlatformModule } from './platform/platform.module.ts'
import { SummariseActivities } from './summaries/summarise/summarise.activities.ts'
import { SummariseModule } from './summaries/summarise/summarise.module.ts'
import { TranscribeActivities } from './transcripts/transcribe/transcribe.activities.ts'
import { TranscribeModule } from './transcripts/transcribe/transcribe.module.ts'

/** The process that does the jobs. */
@Module({})
export class WorkerModule {
  static of(config: Config, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [PlatformModule.of(config, logger), TranscribeModule, SummariseModule, ConfirmPaymentModule],
    }
  }
}

/** All steps that the workflows may ask for, by their task queue. */
export function activitiesOf(app: INestApplicationContext) {
  const transcription = app.get(TranscribeActivities)
  const summaries = app.get(SummariseActivities)
  const payments = app.get(ConfirmPaymentActivities)
  return {
    main: { ...transcription.main, ...summaries.main, ...payments.main },
    recognition: { ...transcription.recognition },
    language: { ...summaries.language },
    payments: { ...payments.vendors },
  }
}
