import { Global, Module } from '@nestjs/common'
import { TemporalConnection } from './temporal-connection.ts'

@Global()
@Module({ providers: [TemporalConnection], exports: [TemporalConnection] })
export class TemporalModule {}
