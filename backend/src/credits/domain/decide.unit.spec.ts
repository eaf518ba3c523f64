import { describe, expect, it } from 'vitest'
import { emptyAccount, evolve } from './account.ts'
import { microcredits, parseCredits } from './amounts.ts'
import { type CreditCommand, decide, type Decision } from './decide.ts'
import type { CreditEvent } from './events.ts'

const note = { description: 'a test' }
const m = microcredits

const granted = (operationId: string, amount: number, after: number): CreditEvent => ({
  type: 'CreditsGranted',
  operationId,
  operationType: 'grant',
  amountMicrocredits: m(amount),
  balanceAfterMicrocredits: m(after),
  note,
})
const deducted = (operationId: string, amount: number, after: number): CreditEvent => ({
  type: 'CreditsDeducted',
  operationId,
  amountMicrocredits: m(amount),
  balanceAfterMicrocredits: m(after),
  operationType: 'transcription',
  note,
})
const refunded = (operationId: string, deductionId: string, amount: number, after: number): CreditEvent => ({
  type: 'CreditsRefunded',
  operationId,
  deductionId,
  amountMicrocredits: m(amount),
  balanceAfterMicrocredits: m(after),
  operationType: 'transcription',
  note,
})
const deduct = (operationId: string, amount: number): CreditCommand => ({
  type: 'deduct',
  operationId,
  amountMicrocredits: m(amount),
  operationType: 'transcription',
  note,
})
const refund = (operationId: string, deductionId: string, amount: number): CreditCommand => ({
  type: 'refund',
  operationId,
  deductionId,
  amountMicrocredits: m(amount),
  note,
})
const refundRest = (operationId: string, deductionId: string): CreditCommand => ({
  type: 'refund_rest',
  operationId,
  deductionId,
  note,
})

const given = (...events: CreditEvent[]) => ({
  when: (command: CreditCommand): Decision => decide(command, events.reduce(evolve, emptyAccount)),
})

describe('a deduction', () => {
  it('takes what the balance covers, to the last millionth', () => {
    expect(given(granted('g', 50, 50)).when(deduct('d', 50))).toMatchObject({ event: deducted('d', 50, 0) })
  })

  it('is refused when the balance is a millionth short', () => {
    expect(given(granted('g', 50, 50)).when(deduct('d', 51))).toEqual({
      accepted: false,
      refusal: { code: 'insufficient_credits', requiredMicrocredits: 51, availableMicrocredits: 50 },
    })
  })

  it('answers the same again without an event', () => {
    expect(
      given(granted('g', 50, 50), deducted('d', 20, 30), granted('h', 5, 35)).when(deduct('d', 20)),
    ).toEqual({
      accepted: true,
      event: undefined,
      receipt: { operationId: 'd', amountMicrocredits: 20, balanceAfterMicrocredits: 30 },
    })
  })

  it('is a conflict under an id that stands for something else', () => {
    const account = given(granted('g', 50, 50), deducted('d', 20, 30))
    expect(account.when(deduct('d', 21))).toMatchObject({ refusal: { code: 'operation_conflict' } })
    expect(account.when(deduct('g', 50))).toMatchObject({ refusal: { code: 'operation_conflict' } })
  })

  it.each([0, -1])('is refused for an amount of %i', (amount) => {
    expect(given(granted('g', 50, 50)).when(deduct('d', amount))).toMatchObject({
      refusal: { code: 'invalid_amount' },
    })
  })
})

describe('a refund', () => {
  it('gives a part back, and the rest after it', () => {
    const history = [granted('g', 50, 50), deducted('d', 50, 0), refunded('r', 'd', 20, 20)]
    expect(given(...history).when(refundRest('s', 'd'))).toMatchObject({ event: refunded('s', 'd', 30, 50) })
  })

  it('never gives back more than was taken', () => {
    const history = [granted('g', 50, 50), deducted('d', 50, 0), refunded('r', 'd', 20, 20)]
    expect(given(...history).when(refund('s', 'd', 31))).toEqual({
      accepted: false,
      refusal: { code: 'refund_exceeds_deduction', remainingMicrocredits: 30 },
    })
  })

  it('is told that everything was given back before', () => {
    const history = [granted('g', 50, 50), deducted('d', 50, 0), refunded('r', 'd', 50, 50)]
    expect(given(...history).when(refund('s', 'd', 1))).toMatchObject({
      refusal: { code: 'already_refunded' },
    })
    expect(given(...history).when(refundRest('s', 'd'))).toMatchObject({
      refusal: { code: 'already_refunded' },
    })
  })

  it('needs a deduction', () => {
    expect(given(granted('g', 50, 50)).when(refund('r', 'g', 1))).toMatchObject({
      refusal: { code: 'deduction_not_found' },
    })
  })

  it('of a deduction that has not come yet sees to it that it never lands', () => {
    const voided = given(granted('g', 50, 50)).when(refundRest('r', 'd'))
    expect(voided).toMatchObject({ accepted: true, event: { type: 'DeductionVoided', deductionId: 'd' } })
    const event = voided.accepted ? voided.event : undefined
    expect(event).toBeDefined()
    const after = given(granted('g', 50, 50), ...(event ? [event] : []))
    expect(after.when(deduct('d', 10))).toMatchObject({ refusal: { code: 'deduction_voided' } })
    expect(after.when(refundRest('r', 'd'))).toMatchObject({ accepted: true, event: undefined })
  })
})

describe('an adjustment', () => {
  it('never takes the balance below zero', () => {
    const command: CreditCommand = {
      type: 'adjust',
      operationId: 'a',
      signedAmountMicrocredits: m(-51),
      note,
    }
    expect(given(granted('g', 50, 50)).when(command)).toMatchObject({
      refusal: { code: 'insufficient_credits' },
    })
  })
})

describe('an amount', () => {
  it.each([
    ['2.5', 2_500_000],
    ['0.000001', 1],
    ['-3', -3_000_000],
  ])('reads %s as %i millionths', (text, expected) => {
    expect(parseCredits(text)).toBe(expected)
  })

  it.each(['', '1.0000001', '1e3', 'NaN', '99999999999', '1,5', ' '])('refuses "%s"', (text) => {
    expect(() => parseCredits(text)).toThrow(RangeError)
  })

  it('stays within what a number holds exactly', () => {
    expect(() => microcredits(2 ** 53)).toThrow(RangeError)
    expect(() => microcredits(0.5)).toThrow(RangeError)
    const most = Number.MAX_SAFE_INTEGER
    const more: CreditCommand = {
      type: 'grant',
      operationId: 'h',
      operationType: 'grant',
      amountMicrocredits: m(1),
      note,
    }
    expect(given(granted('g', most, most)).when(more)).toMatchObject({ refusal: { code: 'balance_limit' } })
  })
})
