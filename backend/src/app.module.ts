import { type DynamicModule, Module } from '@nestjs/common'
import type { Logger } from 'pino'
import { ApiReferenceController } from './api-reference/api-reference.controller.ts'
import { CreditsModule } from './credits/credits.module.ts'
import { HealthController } from './health/health.controller.ts'
import { MetricsController } from './health/metrics.controller.ts'
import { IdentityModule } from './identity/identity.module.ts'
import type { Config } from './platform/config/config.ts'
import { orpcModule } from './platform/http/orpc.module.ts'
import { PaymentsModule } from './payments/payments.module.ts'
import { PlatformModule } from './platform/platform.module.ts'
import { ProjectionsModule } from './platform/projections/projections.module.ts'
import { PodcastsModule } from './podcasts/podcasts.module.ts'
import { projectionsOn } from './projections.ts'
import { SummariesModule } from './summaries/summaries.module.ts'
import { TranscriptsModule } from './transcripts/transcripts.module.ts'

/** The process that answers HTTP. */
@Module({})
export class AppModule {
  static of(config: Config, logger: Logger): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.of(config, logger),
        ProjectionsModule.of(projectionsOn(config.eventStore.name)),
        orpcModule,
        IdentityModule,
        PodcastsModule,
        TranscriptsModule,
        SummariesModule,
        CreditsModule,
        PaymentsModule,
      ],
      controllers: [HealthController, MetricsController, ApiReferenceController],
    }
  }
}
