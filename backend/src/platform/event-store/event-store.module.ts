import { Global, Inject, Module, type OnModuleInit } from '@nestjs/common'
import type { Logger } from 'pino'
import { CONFIG, type Config, ConfigError } from '../config/config.ts'
import { LOGGER } from '../logging/logging.module.ts'
import { POOL, type Pool } from '../postgres/postgres.module.ts'
import { waitingOutOutages } from '../unreachable.ts'
import { checkHome, NotAtHomeError } from './event-store-home.ts'
import { EventStore } from './event-store.ts'
import { EventStoreDbEventStore } from './eventstoredb-event-store.ts'
import { PostgresEventStore } from './postgres-event-store.ts'

const homeKnownWithinMs = 30_000

class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError'
  readonly code = 'ETIMEDOUT'
}

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

  /**
   * @throws ConfigError where the ledger's events are in the other store: every balance would read as none.
   * @throws DatabaseUnreachableError where that cannot be known.
   */
  async onModuleInit() {
    const { name } = this.config.eventStore
    const patience = AbortSignal.timeout(homeKnownWithinMs)
    await waitingOutOutages(patience, () => checkHome(this.pool, name)).catch((error: unknown) => {
      if (patience.aborted)
        throw new DatabaseUnreachableError(
          `The database could not be reached within ${homeKnownWithinMs / 1000} s`,
          { cause: error },
        )
      if (!(error instanceof NotAtHomeError)) throw error
      const hint =
        error.home === 'moving'
          ? 'End the move first: npm run event-store -- move'
          : `${name === 'postgres' ? 'Set' : 'Take away'} EVENTSTORE_URL, or move it: npm run event-store -- move ${name}`
      throw new ConfigError(`This process cannot start: ${error.message}. ${hint}`)
    })
  }
}
