import type { CommandBus } from '@nestjs/cqrs'
import type { Refusal } from '../credits/domain/decide.ts'
import type { EventNote } from '../credits/domain/events.ts'
import { RefundCredits } from '../credits/refund-credits/refund-credits.handler.ts'
import { explained } from '../platform/temporal/activity.ts'

/**
 * Gives back what is left of the deduction of a job that failed. One that is still under way will be refused.
 * @returns the millionths of a credit that came back, now or when this was asked before; 0 where nothing was taken.
 */
export async function giveBackRest(
  commands: CommandBus,
  userId: string,
  deductionId: string,
  note: EventNote,
): Promise<number> {
  const answer = await commands.execute(
    new RefundCredits(userId, {
      type: 'refund_rest',
      operationId: `${deductionId}:give-back`,
      deductionId,
      note,
    }),
  )
  if (answer.accepted) return answer.receipt.amountMicrocredits
  if (answer.refusal.code === 'already_refunded') return 0
  throw unexpectedRefusal(answer.refusal)
}

/** A refusal that the operation ids of a job cannot meet: a bug, or a job whose credits went back already. */
export function unexpectedRefusal(refusal: Refusal): unknown {
  return explained('The charge could not be made.', { final: true, cause: new Error(refusal.code) })
}
