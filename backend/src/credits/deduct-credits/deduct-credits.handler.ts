import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs'
import type { DeductCommand } from '../domain/decide.ts'
import { Ledger, type LedgerAnswer } from '../ledger.ts'

/** Takes credits for a paid operation, or refuses; its operation id makes it once. */
export class DeductCredits extends Command<LedgerAnswer> {
  constructor(
    readonly userId: string,
    readonly deduction: Omit<DeductCommand, 'type'>,
  ) {
    super()
  }
}

@CommandHandler(DeductCredits)
export class DeductCreditsHandler implements ICommandHandler<DeductCredits> {
  constructor(private readonly ledger: Ledger) {}

  execute({ userId, deduction }: DeductCredits): Promise<LedgerAnswer> {
    return this.ledger.execute(userId, { type: 'deduct', ...deduction })
  }
}
