import { z } from 'zod'
import { StripeError } from './stripe-error.ts'
import { cardOf, type TestCard } from './test-cards.ts'

type Payer = { email: string; name: string | null; country: string | null }

/** What a customer submits to pay a session. */
export type Payment = Payer &
  (
    | { method: 'card'; card: TestCard; expiryMonth: number; expiryYear: number }
    | { method: 'us_bank_account'; arrives: boolean }
  )

const payer = {
  email: z.email().max(320),
  name: z.string().trim().max(200).nullable(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
}

const submittedSchema = z.discriminatedUnion('method', [
  z.strictObject({
    method: z.literal('card'),
    ...payer,
    number: z.string().max(40),
    expiryMonth: z.int(),
    expiryYear: z.int(),
    cvc: z.string().max(10),
  }),
  z.strictObject({ method: z.literal('us_bank_account'), ...payer, arrives: z.boolean() }),
])

/** Reads what the card page sends. @throws StripeError in the words that Stripe has for a wrong card. */
export function readPayment(body: string): Payment {
  const parsed = submittedSchema.safeParse(parsedJson(body))
  if (!parsed.success) throw new StripeError(400, { message: z.prettifyError(parsed.error) })
  if (parsed.data.method === 'us_bank_account') return parsed.data
  const { number, cvc, ...rest } = parsed.data
  const card = cardOf(number)
  if (!isCardNumber(card.number))
    throw cardError('incorrect_number', 'Your card number is invalid.', 'number')
  if (isPast(rest.expiryMonth, rest.expiryYear)) {
    throw cardError('invalid_expiry_year', "Your card's expiration date is in the past.", 'exp_year')
  }
  if (cvc.length !== (card.brand === 'amex' ? 4 : 3)) {
    throw cardError('invalid_cvc', "Your card's security code is incomplete.", 'cvc')
  }
  return { ...rest, card }
}

export function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function cardError(code: string, message: string, param: string): StripeError {
  return new StripeError(402, { type: 'card_error', code, message, param })
}

/** Luhn's check digit. */
function isCardNumber(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, letter, at) => {
      const digit = Number(letter) * (at % 2 === 1 ? 2 : 1)
      return total + (digit > 9 ? digit - 9 : digit)
    }, 0)
  return digits.length >= 13 && sum % 10 === 0
}

function isPast(month: number, year: number): boolean {
  return month < 1 || month > 12 || new Date(year, month, 1).getTime() <= Date.now()
}
