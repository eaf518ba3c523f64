import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Microcredits } from '../domain/amounts.ts'
import { Ledger } from '../ledger.ts'

/** The balance now: what was written before the question is in the answer. */
export class GetBalance extends Query<Microcredits> {
  constructor(readonly userId: string) {
    super()
  }
}

@QueryHandler(GetBalance)
export class GetBalanceHandler implements IQueryHandler<GetBalance> {
  constructor(private readonly ledger: Ledger) {}

  execute({ userId }: GetBalance): Promise<Microcredits> {
    return this.ledger.balance(userId)
  }
}
