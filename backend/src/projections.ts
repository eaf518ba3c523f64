import { transactionsProjection } from './credits/list-transactions/transactions.projection.ts'
import type { Config } from './platform/config/config.ts'
import { operationIndexProjection } from './platform/event-store/operation-index.projection.ts'
import type { Projection } from './platform/projections/projection.ts'

/** What is made of the events of a store: PostgreSQL knows their operations itself, EventStoreDB needs an index beside it. */
export function projectionsOn(store: Config['eventStore']['name']): readonly Projection[] {
  return store === 'postgres' ? [transactionsProjection] : [transactionsProjection, operationIndexProjection]
}
