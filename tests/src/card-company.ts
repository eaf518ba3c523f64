/** The sandbox's card company, mailbox and card page: what a payer does, and what the company's own people see. */
import type { Page } from 'playwright-core'
import type { Stack } from './stack.ts'

export type CheckoutAtStripe = {
  id: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  client_reference_id: string
}

/** Every checkout of a user, as the card company has it. */
export async function checkoutsOf(stack: Stack, userId: string): Promise<CheckoutAtStripe[]> {
  const { sessions } = await stack.control<{ sessions: CheckoutAtStripe[] }>('GET', 'stripe/sessions')
  return sessions.filter((session) => session.client_reference_id === userId)
}

/** Pays without a browser. */
export const payCheckout = (stack: Stack, sessionId: string) =>
  stack.control('POST', `stripe/sessions/${sessionId}/pay`, {})

/** The subjects of the mails to an address, newest first. */
export async function mailsTo(stack: Stack, address: string): Promise<string[]> {
  const answer = await fetch(`${stack.sandboxOrigin}/mail/messages?to=${encodeURIComponent(address)}`)
  const { messages } = (await answer.json()) as { messages: { subject: string }[] }
  return messages.map(({ subject }) => subject)
}

/** Fills in the card page as a person does, and presses the button. */
export async function payByCard(page: Page, number: string): Promise<void> {
  const form = page.frameLocator('iframe')
  await form.getByLabel('Card number').fill(number)
  await form.getByLabel('Expiration').fill('12 / 40')
  await form.getByLabel('CVC').fill('123')
  await form.getByLabel('Cardholder name').fill('Ana Pereira')
  await form.getByRole('button', { name: /^Pay \$/ }).click()
}
