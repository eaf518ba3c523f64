import { microcreditsPerCredit } from '@earmark/contracts/pricing'

declare const brand: unique symbol

/** An integer number of millionths of a credit, below 2^53. Signed only where a name says so. */
export type Microcredits = number & { readonly [brand]: 'Microcredits' }

export const zero = 0 as Microcredits

/** @throws RangeError for what is no integer or lies beyond 2^53. */
export function microcredits(value: number): Microcredits {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${value} is no whole number of millionths of a credit`)
  return value as Microcredits
}

/** Credits as the wire shows them: decimals, exact to the millionth. */
export function toCredits(amount: Microcredits): number {
  return amount / microcreditsPerCredit
}

/**
 * Reads what a person typed, such as `2.5`.
 * @throws RangeError for what is no decimal number with at most six places, or lies beyond 2^53 millionths.
 */
export function parseCredits(text: string): Microcredits {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text.trim())
  if (!match) throw new RangeError(`"${text}" is no number of credits with at most six decimal places`)
  const [, sign = '', whole = '0', fraction = ''] = match
  const value = Number(whole) * microcreditsPerCredit + Number(fraction.padEnd(6, '0'))
  return microcredits(sign === '-' ? -value : value)
}
