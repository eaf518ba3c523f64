import type { Pool } from '../postgres/postgres.module.ts'
import type { EventStoreHome } from './event-store-home.ts'
import { type Question, questionsValue } from './postgres-statements.ts'
import { replyTimeoutMs, within } from '../postgres/reply-timeout.ts'
import { SharedRoundTrips } from '../shared-round-trips.ts'

/** What the index knows of a stream: it holds every revision up to `indexedRevision` (-1: none) and none behind it. */
type Known = {
  home: EventStoreHome
  indexedRevision: number
  /** Of the indexed events, those that one of the operations wrote or that refer to one. */
  revisions: number[]
}

// Planned anew each time: a plan that was made while the table was small would scan it when it is large.
const lookUp = `
  select wanted.place, home.store as home,
         coalesce((select max(revision) from event_operations o where o.stream_id = wanted.stream_id), -1) as indexed_revision,
         to_jsonb(array(
           select revision from event_operations o
           where o.stream_id || '' = wanted.stream_id and o.operation_id = any(wanted.operation_ids)
           union
           select revision from event_operations o
           where o.stream_id || '' = wanted.stream_id and o.refers_to = any(wanted.operation_ids)
         )) as revisions
  from jsonb_to_recordset($1) as wanted(place int, stream_id text, operation_ids text[]) cross join event_store_position home
  order by wanted.place`

/** The index of the operations that EventStoreDB's streams hold, for ever; the streams' tails are not in it yet. */
export class OperationIndex {
  readonly #questions = new SharedRoundTrips((questions: Question[]) => this.#lookUp(questions), {
    underWay: 2,
    questions: 512,
    timeoutMs: 5000,
  })

  constructor(private readonly pool: Pool) {}

  ask(streamId: string, operationIds: readonly string[]): Promise<Known> {
    return this.#questions.ask({ streamId, operationIds })
  }

  /** Makes EventStoreDB the ledger's home where nothing was ever written anywhere. Answers whether it is. */
  async claimHome(): Promise<boolean> {
    await this.pool.query(
      `update event_store_position set store = 'eventstoredb' where store = 'postgres' and position = 0`,
    )
    const { rowCount } = await this.pool.query(
      `select from event_store_position where store = 'eventstoredb'`,
    )
    return rowCount === 1
  }

  async #lookUp(questions: Question[]): Promise<Known[]> {
    const { rows } = await this.pool.query<{
      home: EventStoreHome
      indexed_revision: number
      revisions: number[]
    }>({ ...within(replyTimeoutMs), text: lookUp, values: [questionsValue(questions)] })
    return rows.map(({ home, indexed_revision, revisions }) => ({
      home,
      indexedRevision: indexed_revision,
      revisions,
    }))
  }
}
