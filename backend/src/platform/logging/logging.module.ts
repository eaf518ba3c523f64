import { type DynamicModule, Global, Module } from '@nestjs/common'
import type { Logger } from 'pino'

export const LOGGER = Symbol('Logger')

@Global()
@Module({})
export class LoggingModule {
  static of(logger: Logger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: LOGGER, useValue: logger }], exports: [LOGGER] }
  }
}
