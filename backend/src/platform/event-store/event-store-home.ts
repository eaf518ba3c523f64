import type { Pool } from '../postgres/postgres.module.ts'

/** Where the ledger lives; while it is `moving` nobody may append to either store. */
export type EventStoreHome = 'postgres' | 'eventstoredb' | 'moving'

/**
 * The store that this process is configured for is not, or not now, where the ledger lives. What was to be written
 * counts only if it was there in time to be moved; a repeat finds out.
 */
export class LedgerElsewhereError extends Error {
  override readonly name = 'LedgerElsewhereError'
  readonly code = 'EBUSY'

  constructor() {
    super('the ledger is kept in another event store')
  }
}

/** Another command has ended the move meanwhile, or has begun one. */
export class HomeChangedError extends Error {
  override readonly name = 'HomeChangedError'

  constructor() {
    super('another command has changed meanwhile where the ledger is kept')
  }
}

export async function readHome(pool: Pool): Promise<EventStoreHome> {
  const { rows } = await pool.query<{ store: EventStoreHome }>('select store from event_store_position')
  const [home] = rows
  if (!home) throw new Error('The database does not say where the ledger is kept')
  return home.store
}

/** Waits for every append to PostgreSQL that is under way. @throws where the ledger's home is not `expected`. */
export async function writeHome(pool: Pool, expected: EventStoreHome, home: EventStoreHome): Promise<void> {
  const { rowCount } = await pool.query('update event_store_position set store = $2 where store = $1', [
    expected,
    home,
  ])
  if (rowCount !== 1) throw new HomeChangedError()
}

/** The ledger is in another store than the one that is configured, where every balance would read as none. */
export class NotAtHomeError extends Error {
  override readonly name = 'NotAtHomeError'

  constructor(
    readonly home: EventStoreHome,
    store: EventStoreHome,
  ) {
    super(
      home === 'moving'
        ? 'the ledger is being moved to another event store'
        : `the ledger is kept in ${home}, and this process is configured for ${store}`,
    )
  }
}

/** @throws NotAtHomeError where the ledger's home is not `store`. While nothing was ever written either store may become it. */
export async function checkHome(pool: Pool, store: EventStoreHome): Promise<void> {
  const { rows } = await pool.query<{ store: EventStoreHome }>(
    `select store from event_store_position where store <> $1 and (store <> 'postgres' or position > 0)`,
    [store],
  )
  const [home] = rows
  if (!home) return
  throw new NotAtHomeError(home.store, store)
}
