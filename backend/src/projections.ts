import { transactionsProjection } from './credits/list-transactions/transactions.projection.ts'
import type { Projection } from './platform/projections/projection.ts'

/** Every projection of the product. */
export const projections: readonly Projection[] = [transactionsProjection]
