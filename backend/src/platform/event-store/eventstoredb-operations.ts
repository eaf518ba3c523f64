import type { Pool } from '../postgres/postgres.module.ts'
import type { EventStoreHome } from './event-store-home.ts'
import { SharedRoundTrips } from '../shared-round-trips.ts'

/** What the index knows of a stream: it holds every revision up to `indexedRevision` (-1: none) and none behind it. */
type Known = {
  home: EventStoreHome
  indexedRevision: number
  /** Of the indexed events, those that one of the operations wrote or that refer to one. */
  revisions: number[]
}

type Question = { streamId: string; operationIds: readonly string[] }

const replyTimeoutMs = 2500

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
    const wanted = questions.map(({ streamId, operationIds }, place) => ({
      place,
      stream_id: streamId,
      operation_ids: operationIds,
    }))
    // The client's own time limit, which its types do not name: a server whose reply is lost never ends the statement.
    const limit: object = { query_timeout: replyTimeoutMs }
    const { rows } = await this.pool.query<{
      home: EventStoreHome
      indexed_revision: number
      revisions: number[]
    }>({ ...limit, text: lookUp, values: [JSON.stringify(wanted)] })
    return rows.map(({ home, indexed_revision, revisions }) => ({
      home,
      indexedRevision: indexed_revision,
      revisions,
    }))
  }
}
