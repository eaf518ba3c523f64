import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import { Ledger, type Position } from '../ledger.ts'

/** The balance now, and what is owed: what was written before the question is in the answer. */
export class GetBalance extends Query<Position> {
  constructor(readonly userId: string) {
    super()
  }
}

@QueryHandler(GetBalance)
export class GetBalanceHandler implements IQueryHandler<GetBalance> {
  constructor(private readonly ledger: Ledger) {}

  execute({ userId }: GetBalance): Promise<Position> {
    return this.ledger.position(userId)
  }
}
