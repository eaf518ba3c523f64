import fc from 'fast-check'
import { microcredits } from '../src/credits/domain/amounts.ts'
import type { CreditCommand } from '../src/credits/domain/decide.ts'

const note = { description: 'a model’s' }

/**
 * Few ids and small amounts, so that commands meet each other: repeated, in conflict, too large, out of order. Now and
 * then a command comes under an id that is of another kind.
 */
const kinds = ['g', 'd', 'f', 'a', 'r'] as const
const id = (kind: (typeof kinds)[number]) =>
  fc
    .tuple(
      fc.oneof(
        { weight: 7, arbitrary: fc.constant(kind) },
        { weight: 1, arbitrary: fc.constantFrom(...kinds) },
      ),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(([prefix, number]) => `${prefix}${number}`)
const amount = fc.integer({ min: 0, max: 12 }).map(microcredits)
const operationType = fc.constantFrom('transcription' as const, 'summary' as const)

export const commands: fc.Arbitrary<CreditCommand[]> = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('grant' as const),
      operationId: id('g'),
      operationType: fc.constantFrom('purchase' as const, 'grant' as const),
      amountMicrocredits: amount,
      note: fc.constant(note),
    }),
    fc.record({
      type: fc.constant('deduct' as const),
      operationId: id('d'),
      operationType,
      amountMicrocredits: amount,
      note: fc.constant(note),
    }),
    fc.record({
      type: fc.constant('refund' as const),
      operationId: id('f'),
      deductionId: id('d'),
      amountMicrocredits: amount,
      note: fc.constant(note),
    }),
    fc.record({
      type: fc.constant('refund_rest' as const),
      operationId: id('f'),
      deductionId: id('d'),
      note: fc.constant(note),
    }),
    fc.record({
      type: fc.constant('adjust' as const),
      operationId: id('a'),
      signedAmountMicrocredits: fc.integer({ min: -12, max: 12 }).map(microcredits),
      note: fc.constant(note),
    }),
    fc.record({
      type: fc.constant('reverse' as const),
      operationId: id('r'),
      grantId: id('g'),
      amountMicrocredits: amount,
      note: fc.constant(note),
    }),
  ),
  { maxLength: 40 },
)

type Part = { of: number; back: number }
type Told = { command: CreditCommand; answer: string }

/**
 * The ledger as somebody would keep it on paper: one number, which is what there is less what is owed, and a list of
 * what was done. Told the same commands it must give the same answers.
 */
export class PaperLedger {
  position = 0
  readonly #done = new Map<string, Told>()
  readonly #grants = new Map<string, Part>()
  readonly #deductions = new Map<string, Part>()
  readonly #voided = new Set<string>()

  get balance(): number {
    return Math.max(0, this.position)
  }

  get owed(): number {
    return Math.max(0, -this.position)
  }

  /** `accepted <amount> <balance after>`, or the code of the refusal. */
  tell(command: CreditCommand): string {
    const before = this.#done.get(command.operationId)
    if (before) return isRepeated(before, command) ? before.answer : 'operation_conflict'
    const outcome = this.#voided.has(command.operationId) ? 'deduction_voided' : this.#apply(command)
    if (typeof outcome === 'string') return outcome
    const answer = `accepted ${outcome} ${this.balance}`
    this.#done.set(command.operationId, { command, answer })
    return answer
  }

  #apply(command: CreditCommand): number | string {
    switch (command.type) {
      case 'grant': {
        if (command.amountMicrocredits <= 0) return 'invalid_amount'
        this.#grants.set(command.operationId, { of: command.amountMicrocredits, back: 0 })
        return this.#move(command.amountMicrocredits)
      }
      case 'deduct': {
        if (command.amountMicrocredits <= 0) return 'invalid_amount'
        if (command.amountMicrocredits > this.balance) return 'insufficient_credits'
        this.#deductions.set(command.operationId, { of: command.amountMicrocredits, back: 0 })
        this.#move(0 - command.amountMicrocredits)
        return command.amountMicrocredits
      }
      case 'adjust': {
        const signed: number = command.signedAmountMicrocredits
        if (signed === 0) return 'invalid_amount'
        if (signed < 0 && this.balance + signed < 0) return 'insufficient_credits'
        return this.#move(signed)
      }
      case 'refund':
        return this.#giveBack(command.deductionId, command.amountMicrocredits)
      case 'refund_rest': {
        const deduction = this.#deductions.get(command.deductionId)
        if (deduction) return this.#giveBack(command.deductionId, deduction.of - deduction.back || Number.NaN)
        if (this.#voided.has(command.deductionId)) return 'already_refunded'
        this.#voided.add(command.deductionId)
        return 0
      }
      case 'reverse': {
        if (command.amountMicrocredits <= 0) return 'invalid_amount'
        const grant = this.#grants.get(command.grantId)
        if (!grant) return 'grant_not_found'
        if (grant.back === grant.of) return 'already_reversed'
        if (grant.back + command.amountMicrocredits > grant.of) return 'reversal_exceeds_grant'
        grant.back += command.amountMicrocredits
        this.#move(0 - command.amountMicrocredits)
        return command.amountMicrocredits
      }
    }
  }

  #giveBack(deductionId: string, amount: number): number | string {
    if (amount <= 0) return 'invalid_amount'
    const deduction = this.#deductions.get(deductionId)
    if (!deduction) return 'deduction_not_found'
    if (deduction.back === deduction.of) return 'already_refunded'
    if (deduction.back + amount > deduction.of) return 'refund_exceeds_deduction'
    deduction.back += amount
    return this.#move(amount)
  }

  #move(signed: number): number {
    this.position += signed
    return signed
  }
}

/** The same command again. How much a rest is shows only when it is given back; then it is a refund of so much. */
function isRepeated({ command: before, answer }: Told, command: CreditCommand): boolean {
  if (command.type === 'refund_rest')
    return 'deductionId' in before && before.deductionId === command.deductionId
  if (before.type === 'refund_rest') {
    const isSoMuch =
      command.type === 'refund' &&
      command.amountMicrocredits > 0 &&
      answer.startsWith(`accepted ${command.amountMicrocredits} `)
    return isSoMuch && before.deductionId === command.deductionId
  }
  const essence = ({ note: _, ...rest }: CreditCommand) =>
    JSON.stringify({ ...rest, operationType: undefined })
  return essence(before) === essence(command)
}
