import type { Selectable } from 'kysely'
import type { PaymentStatus, SessionStatus } from '@earmark/contracts/payments'
import { problem } from '../platform/http/problem.ts'
import type { Database } from '../platform/postgres/postgres.module.ts'
import type { Schema } from '../platform/postgres/schema.ts'

export type PaymentRow = Selectable<Schema['payments']>

/** One whose session the card provider has opened. */
export type OpenedPayment = PaymentRow & { session_id: string }

/** The record of a user's own checkout. @throws ProblemError for another's, as for one that is not there. */
export async function readPayment(
  database: Database,
  userId: string,
  sessionId: string,
): Promise<OpenedPayment> {
  const row = await database
    .selectFrom('payments')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw problem('not_found', 'There is no such checkout.')
  return { ...row, session_id: sessionId }
}

export function toSessionStatus(row: PaymentRow): SessionStatus {
  return { status: statusOf(row.status), customer_email: row.customer_email, detail: detailOf(row) }
}

function statusOf(status: PaymentRow['status']): PaymentStatus {
  return status === 'credited' ? 'complete' : status
}

function detailOf({ status, is_settling: isSettling }: PaymentRow): string | null {
  if (status === 'review')
    return 'Your payment arrived, but not as this checkout asked for it. We are looking at it. You need not pay again.'
  if (status === 'open' && isSettling)
    return 'Your payment is on its way. A bank can take some days; the credits come as soon as it has arrived.'
  return null
}
