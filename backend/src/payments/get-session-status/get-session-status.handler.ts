import { Inject } from '@nestjs/common'
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Logger } from 'pino'
import type { SessionStatus } from '@earmark/contracts/payments'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { type PaymentRow, readPayment, toSessionStatus } from '../payment-row.ts'
import { PaymentConfirmation } from '../payment-confirmation.ts'

export class GetSessionStatus extends Query<SessionStatus> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super()
  }
}

/** Short enough for a page that asks every two seconds. */
const waitMs = 4000
const lookAtSettlingEveryMs = 15_000

/**
 * How a checkout stands by our own record: `complete` means that the credits are on the account. Where the record is
 * still open the card provider is asked, so that a page that waits does not depend on the webhook.
 */
@QueryHandler(GetSessionStatus)
export class GetSessionStatusHandler implements IQueryHandler<GetSessionStatus> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly confirmation: PaymentConfirmation,
  ) {}

  async execute({ userId, sessionId }: GetSessionStatus): Promise<SessionStatus> {
    const row = await readPayment(this.database, userId, sessionId)
    if (row.status !== 'open' || wasLookedAtLately(row)) return toSessionStatus(row)
    try {
      await this.confirmation.settle(row, waitMs)
    } catch (error) {
      this.logger.warn(
        { sessionId, error: String(error) },
        'checkout not looked at; the record stands as it is',
      )
    }
    return toSessionStatus(await readPayment(this.database, userId, sessionId))
  }
}

/** Money that is on its way takes days: no need to ask for it at every glance. */
function wasLookedAtLately({ is_settling: isSettling, looked_at: lookedAt }: PaymentRow): boolean {
  return isSettling && lookedAt !== null && Date.now() - lookedAt.getTime() < lookAtSettlingEveryMs
}
