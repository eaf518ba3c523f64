import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { GrantCommand } from '../domain/decide.ts'
import { Ledger, type LedgerAnswer } from '../ledger.ts'

/** Adds credits to an account. */
export class GrantCredits extends Command<LedgerAnswer> {
  constructor(
    readonly userId: string,
    readonly grant: Omit<GrantCommand, 'type'>,
  ) {
    super()
  }
}

@CommandHandler(GrantCredits)
export class GrantCreditsHandler implements ICommandHandler<GrantCredits> {
  constructor(private readonly ledger: Ledger) {}

  execute({ userId, grant }: GrantCredits): Promise<LedgerAnswer> {
    return this.ledger.execute(userId, { type: 'grant', ...grant })
  }
}
