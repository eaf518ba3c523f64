import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs'
import type { Statement, StatementLine } from '@earmark/contracts/credits'
import { EventStore, type RecordedEvent } from '../../platform/event-store/event-store.ts'
import { readCreditEvent } from '../credit-event.schema.ts'
import { signedAmount } from '../domain/account.ts'
import { toCredits } from '../domain/amounts.ts'
import { accountStream, positionAfter } from '../ledger.ts'
import { lineOf } from '../list-transactions/transaction-row.ts'

/** What happened on an account from `from` on, before `to`: read from the events themselves. */
export class GetStatement extends Query<Statement> {
  constructor(
    readonly userId: string,
    readonly period: { from: Date; to: Date },
  ) {
    super()
  }
}

@QueryHandler(GetStatement)
export class GetStatementHandler implements IQueryHandler<GetStatement> {
  constructor(private readonly events: EventStore) {}

  async execute({ userId, period: { from, to } }: GetStatement): Promise<Statement> {
    const history = (await this.events.readStream(accountStream(userId))).filter(
      ({ recordedAt }) => recordedAt < to,
    )
    const before = history.filter(({ recordedAt }) => recordedAt < from)
    const within = history.slice(before.length)
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      opening_balance: balanceAfter(before),
      lines: within.flatMap(toLine),
      closing_balance: balanceAfter(history),
    }
  }
}

function balanceAfter(history: readonly RecordedEvent[]): number {
  return toCredits(positionAfter(history.at(-1)).balanceMicrocredits)
}

/** None for an event that moved nothing. */
function toLine(recorded: RecordedEvent): StatementLine[] {
  const event = readCreditEvent(recorded)
  const shown = lineOf(event)
  if (!shown) return []
  return [
    {
      at: recorded.recordedAt.toISOString(),
      operation_id: event.operationId,
      transaction_type: shown.transaction_type,
      operation_type: shown.operation_type,
      description: event.note.description,
      amount: toCredits(signedAmount(event)),
      balance_after: toCredits(event.balanceAfterMicrocredits),
      owed_after: toCredits(event.owedAfterMicrocredits),
    },
  ]
}
