import { type DynamicModule, Module } from '@nestjs/common'
import type { Logger } from 'pino'
import type { Config } from './platform/config/config.ts'
import { ConfirmPaymentModule } from './payments/confirm-payment/confirm-payment.module.ts'
import { PlatformModule } from './platform/platform.module.ts'
import { TranscribeModule } from './transcripts/transcribe/transcribe.module.ts'

/** The process that does the jobs. */
@Module({})
export class WorkerModule {
  static of(config: Config, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [PlatformModule.of(config, logger), TranscribeModule, ConfirmPaymentModule],
    }
  }
}
