import { Global, Module } from '@nestjs/common'
import { GuardedFetch } from './guarded-fetch.ts'

@Global()
@Module({ providers: [GuardedFetch], exports: [GuardedFetch] })
export class OutgoingModule {}
