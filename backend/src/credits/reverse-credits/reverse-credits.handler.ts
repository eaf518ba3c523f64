import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { ReverseCommand } from '../domain/decide.ts'
import { Ledger, type LedgerAnswer } from '../ledger.ts'

/** Takes a purchase back, in part or whole: its payment was refunded or disputed. What is spent of it is owed. */
export class ReverseCredits extends Command<LedgerAnswer> {
  constructor(
    readonly userId: string,
    readonly reversal: Omit<ReverseCommand, 'type'>,
  ) {
    super()
  }
}

@CommandHandler(ReverseCredits)
export class ReverseCreditsHandler implements ICommandHandler<ReverseCredits> {
  constructor(private readonly ledger: Ledger) {}

  execute({ userId, reversal }: ReverseCredits): Promise<LedgerAnswer> {
    return this.ledger.execute(userId, { type: 'reverse', ...reversal })
  }
}
