import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { RefundCommand, RefundRestCommand } from '../domain/decide.ts'
import { Ledger, type LedgerAnswer } from '../ledger.ts'

/** Gives back a part of a deduction, or its rest. */
export class RefundCredits extends Command<LedgerAnswer> {
  constructor(
    readonly userId: string,
    readonly refund: RefundCommand | RefundRestCommand,
  ) {
    super()
  }
}

@CommandHandler(RefundCredits)
export class RefundCreditsHandler implements ICommandHandler<RefundCredits> {
  constructor(private readonly ledger: Ledger) {}

  execute({ userId, refund }: RefundCredits): Promise<LedgerAnswer> {
    return this.ledger.execute(userId, refund)
  }
}
