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
    const stream = accountStream(userId)
    const head = await this.events.readHead(stream)
    const length = head ? head.revision + 1 : 0
    const first = await this.#firstRevisionAt(stream, from, 0, length)
    const end = await this.#firstRevisionAt(stream, to, first, length)
    // The event before the period comes too: it tells the position that the period opens with.
    const start = Math.max(0, first - 1)
    const events = end > start ? await this.events.readStream(stream, start, end - start) : []
    const before = first > 0 ? events[0] : undefined
    const opening = positionAfter(before)
    const closing = positionAfter(events.at(-1))
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      opening_balance: toCredits(opening.balanceMicrocredits),
      opening_owed: toCredits(opening.owedMicrocredits),
      lines: events.slice(before ? 1 : 0).flatMap(toLine),
      closing_balance: toCredits(closing.balanceMicrocredits),
      closing_owed: toCredits(closing.owedMicrocredits),
    }
  }

  /**
   * The first revision that was recorded at `instant` or later, `end` where there is none. Halves the stream again and
   * again, so that a long one costs few reads; a period is a run of revisions, and adds up, whatever the clocks did.
   */
  async #firstRevisionAt(stream: string, instant: Date, start: number, end: number): Promise<number> {
    let [low, high] = [start, end]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const [event] = await this.events.readStream(stream, middle, 1)
      if (event && event.recordedAt < instant) low = middle + 1
      else high = middle
    }
    return low
  }
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
