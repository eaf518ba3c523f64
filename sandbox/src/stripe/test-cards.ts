import type Stripe from 'stripe'

export type Decline = { code: string; declineCode?: string; message: string }

export type TestCard = {
  number: string
  brand: 'visa' | 'mastercard' | 'amex' | 'discover'
  /** What people read beside it on the page. */
  label: string
  decline?: Decline
  needsAuthentication?: true
}

/** Stripe's own test cards (https://docs.stripe.com/testing) and, for the declined ones, Stripe's own words. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', label: 'Is paid' },
  { number: '5555555555554444', brand: 'mastercard', label: 'Is paid, a Mastercard' },
  { number: '378282246310005', brand: 'amex', label: 'Is paid, an American Express' },
  {
    number: '4000002500003155',
    brand: 'visa',
    label: 'Asks for authentication',
    needsAuthentication: true,
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    label: 'Always asks for authentication',
    needsAuthentication: true,
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    label: 'Is declined',
    decline: { code: 'card_declined', declineCode: 'generic_decline', message: 'Your card was declined.' },
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    label: 'Has insufficient funds',
    decline: {
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    label: 'Has expired',
    decline: { code: 'expired_card', message: 'Your card has expired.' },
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    label: 'Has another security code',
    decline: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    label: 'Meets a processing error',
    decline: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
]

export const authenticationFailure: Decline = {
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

const liveCard: Decline = {
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message:
    'Your card was declined. Your request was in test mode, but used a non test (live) card. ' +
    'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
}

/** The test card of this number; any other is declined as a live one, as Stripe does in test mode. */
export function cardOf(number: string): TestCard {
  const digits = number.replace(/\D/g, '')
  const card = testCards.find((known) => known.number === digits)
  return card ?? { number: digits, brand: 'visa', label: '', decline: liveCard }
}

export function paymentError({ code, declineCode, message }: Decline): Stripe.PaymentIntent.LastPaymentError {
  return {
    type: 'card_error',
    code: code,
    message,
    ...(declineCode && { decline_code: declineCode }),
  }
}
