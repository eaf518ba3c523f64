import type { Selectable } from 'kysely'
import type { PaymentStatus, SessionStatus } from '@earmark/contracts/payments'
import { problem } from '../platform/http/problem.ts'
import type { Database } from '../platform/postgres/postgres.module.ts'
import type { Schema } from '../platform/postgres/schema.ts'

export type PaymentRow = Selectable<Schema['payments']>

/** The record of a user's own checkout. @throws ProblemError for another's, as for one that is not there. */
export async function readPayment(
  database: Database,
  userId: string,
  sessionId: string,
): Promise<PaymentRow> {
  const row = await database
    .selectFrom('payments')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw problem('not_found', 'There is no such checkout.')
  return row
}

export function toSessionStatus(row: PaymentRow): SessionStatus {
  return { status: statusOf(row.status), customer_email: row.customer_email }
}

function statusOf(status: PaymentRow['status']): PaymentStatus {
  switch (status) {
    case 'credited':
      return 'complete'
    // Money has moved and an operator looks at it: nothing that the payer should pay again.
    case 'review':
    case 'open':
      return 'open'
    case 'expired':
    case 'failed':
      return status
  }
}
