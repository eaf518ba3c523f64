import { type DynamicModule, Module } from '@nestjs/common'
import { CqrsModule } from '@nestjs/cqrs'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { ConfigModule } from './config/config.module.ts'
import { EventStoreModule } from './event-store/event-store.module.ts'
import { LoggingModule } from './logging/logging.module.ts'
import { OutgoingModule } from './outgoing/outgoing.module.ts'
import { PostgresModule } from './postgres/postgres.module.ts'
import { TemporalModule } from './temporal/temporal.module.ts'

/** What every process of the product stands on. */
@Module({})
export class PlatformModule {
  static of(config: Config, logger: Logger): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ConfigModule.of(config),
        LoggingModule.of(logger),
        CqrsModule.forRoot(),
        PostgresModule,
        EventStoreModule,
        OutgoingModule,
        TemporalModule,
      ],
    }
  }
}
