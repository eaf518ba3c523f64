import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { AdjustCommand } from '../domain/decide.ts'
import { Ledger, type LedgerAnswer } from '../ledger.ts'

/** An operator's correction, up or down; it never takes more than there is. */
export class AdjustCredits extends Command<LedgerAnswer> {
  constructor(
    readonly userId: string,
    readonly adjustment: Omit<AdjustCommand, 'type'>,
  ) {
    super()
  }
}

@CommandHandler(AdjustCredits)
export class AdjustCreditsHandler implements ICommandHandler<AdjustCredits> {
  constructor(private readonly ledger: Ledger) {}

  execute({ userId, adjustment }: AdjustCredits): Promise<LedgerAnswer> {
    return this.ledger.execute(userId, { type: 'adjust', ...adjustment })
  }
}
