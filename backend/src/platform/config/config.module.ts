import { type DynamicModule, Global, Module } from '@nestjs/common'
import { CONFIG, type Config } from './config.ts'

@Global()
@Module({})
export class ConfigModule {
  static of(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] }
  }
}
