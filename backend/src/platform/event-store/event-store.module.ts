import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common'
import type { Logger } from 'pino'
import { CONFIG, type Config, ConfigError } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'
import { waitingOutOutages } from '../unreachable.ts'
import { EventStore } from './event-store.ts'
import { EventStoreDbEventStore } from './eventstoredb-event-store.ts'
import { PostgresEventStore } from './postgres-event-store.ts'

const homeKnownWithinMs = 30_000

/** The store that EVENTSTORE_URL names, or the database. */
@Global()
@Module({
  providers: [
    {
      provide: EventStore,
      inject: [POOL, CONFIG, LOGGER],
      useFactory: (pool: Pool, config: Config, logger: Logger) =>
        config.eventStore.name === 'postgres'
          ? new PostgresEventStore(pool, config, logger)
          : new EventStoreDbEventStore(pool, config, logger),
    },
  ],
  exports: [EventStore],
})
export class EventStoreModule implements OnModuleInit {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws ConfigError where the ledger's events are in the other store: every balance would read as none. */
  async onModuleInit() {
    const { rows } = await waitingOutOutages(AbortSignal.timeout(homeKnownWithinMs), () =>
      this.pool.query<{ store: string; position: number }>(
        'select store, position from event_store_position',
      ),
    )
    const configured = this.config.eventStore.name
    const [home] = rows
    const hasEvents = home?.store !== 'postgres' || home.position > 0
    if (!home || home.store === configured || !hasEvents) return
    throw new ConfigError(
      home.store === 'moving'
        ? 'The ledger is being moved to another event store: `npm run event-store -- move` must end first.'
        : `EVENTSTORE_URL is ${configured === 'postgres' ? 'not set' : 'set'}, and the ledger's events are in ${home.store}. ` +
            `Change it back, or move them first: npm run event-store -- move ${configured}`,
    )
  }
}
