import type { CommandBus } from '@nestjs/cqrs'
import type { ChargedAnswer } from '@earmark/contracts/workflows'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import { explained } from '../../platform/temporal/activity.ts'
import { microcredits, toCredits } from '../domain/amounts.ts'
import type { Refusal } from '../domain/decide.ts'
import type { EventNote } from '../domain/events.ts'
import { RefundCredits } from '../refund-credits/refund-credits.handler.ts'

type Insufficient = Extract<ChargedAnswer, { outcome: 'insufficient_credits' }>

/** The words that the browser knows a refused charge by (spec section 8). */
export function insufficientWords(answer: Omit<Insufficient, 'outcome'>): string {
  const { required_credits, available_credits } = insufficientDetails(answer)
  return `Insufficient credits: required ${required_credits}, available ${available_credits}`
}

export function insufficientProblem(answer: Insufficient): ProblemError {
  return problem('insufficient_credits', insufficientWords(answer), insufficientDetails(answer))
}

function insufficientDetails(answer: Omit<Insufficient, 'outcome'>) {
  return {
    required_credits: toCredits(microcredits(answer.requiredMicrocredits)),
    available_credits: toCredits(microcredits(answer.availableMicrocredits)),
  }
}

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
