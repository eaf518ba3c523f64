import type { EventStore } from '../event-store/event-store.ts'
import type { Pool } from '../postgres/postgres.module.ts'
import { moveCheckpoint, type Projection } from './projection.ts'
import { replay } from './replay.ts'

/**
 * Makes a projection's rows anew from the first event on. All in one transaction that holds the checkpoint: readers see
 * the old rows until the new ones are whole, projectors stand by, and whatever ends it before leaves the old ones.
 * Answers the position up to which the rows are.
 */
export async function rebuild(projection: Projection, events: EventStore, pool: Pool): Promise<number> {
  const { name, tables } = projection
  const client = await pool.connect()
  try {
    await client.query(`begin; ${withoutTimeLimits}`)
    await client.query('insert into projection_checkpoints values ($1, 0) on conflict do nothing', [name])
    await client.query('select from projection_checkpoints where projection = $1 for update', [name])
    // `truncate` would shut readers out until the end.
    for (const table of tables) await client.query(`delete from ${table}`)
    const position = await replay(client, projection, events)
    await moveCheckpoint(client, name, position)
    await client.query('commit')
    return position
  } finally {
    // A transaction that has not ended goes with its connection.
    client.release(true)
  }
}

/** It takes as long as there are events. */
export const withoutTimeLimits =
  'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'
