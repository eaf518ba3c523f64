import { Inject } from '@nestjs/common'
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { Logger } from 'pino'
import type { SessionStatus } from '@earmark/contracts/payments'
import { problem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { PaymentConfirmation } from '../payment-confirmation.ts'
import { readPayment, toSessionStatus } from '../payment-row.ts'

/** Has a checkout confirmed now: the return page's part. */
export class CompletePayment extends Command<SessionStatus> {
  constructor(
    readonly userId: string,
    readonly sessionId: string,
  ) {
    super()
  }
}

const waitMs = 15_000

@CommandHandler(CompletePayment)
export class CompletePaymentHandler implements ICommandHandler<CompletePayment> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly confirmation: PaymentConfirmation,
  ) {}

  async execute({ userId, sessionId }: CompletePayment): Promise<SessionStatus> {
    const row = await readPayment(this.database, userId, sessionId)
    if (row.status === 'credited') return toSessionStatus(row)
    let reason: string | undefined
    await this.confirmation.settle(row, waitMs).catch((error: unknown) => {
      reason = String(error)
    })
    const now = await readPayment(this.database, userId, sessionId)
    // What the record says by now holds, whoever settled it.
    if (reason === undefined || now.status !== 'open') return toSessionStatus(now)
    this.logger.error({ sessionId, error: reason }, 'payment not confirmed yet')
    throw problem(
      'temporarily_unavailable',
      'The payment cannot be confirmed right now. What was paid will be on your account shortly.',
    )
  }
}
