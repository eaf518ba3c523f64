import { Global, Module } from '@nestjs/common'
import { EventStore } from './event-store.ts'
import { PostgresEventStore } from './postgres-event-store.ts'

@Global()
@Module({
  providers: [PostgresEventStore, { provide: EventStore, useExisting: PostgresEventStore }],
  exports: [EventStore],
})
export class EventStoreModule {}
