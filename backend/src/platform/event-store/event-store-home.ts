import type { Pool } from '../postgres/postgres.module.ts'

/** Where the ledger lives; while it is `moving` nobody may append to either store. */
export type EventStoreHome = 'postgres' | 'eventstoredb' | 'moving'

/** The store that this process is configured for is not, or not now, where the ledger lives: nothing was written. */
export class LedgerElsewhereError extends Error {
  override readonly name = 'LedgerElsewhereError'
  readonly code = 'EBUSY'

  constructor() {
    super('the ledger is kept in another event store')
  }
}

export async function readHome(pool: Pool): Promise<EventStoreHome> {
  const { rows } = await pool.query<{ store: EventStoreHome }>('select store from event_store_position')
  const [home] = rows
  if (!home) throw new Error('The database does not say where the ledger is kept')
  return home.store
}

/** Waits for every append to PostgreSQL that is under way. */
export async function writeHome(pool: Pool, home: EventStoreHome): Promise<void> {
  await pool.query('update event_store_position set store = $1', [home])
}
