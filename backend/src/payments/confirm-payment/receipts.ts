import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { ApplicationFailure } from '@temporalio/common'
import { createTransport, type Transporter } from 'nodemailer'
import { microcredits, toCredits } from '../../credits/domain/amounts.ts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import type { PaymentRow } from '../payment-row.ts'

const timeoutMs = 10_000

type PaidRow = PaymentRow & { session_id: string; customer_email: string }

/** The receipt of a purchase, by SMTP. Without a mail server of ours Stripe sends its own. */
@Injectable()
export class Receipts implements OnApplicationShutdown {
  readonly #transport: Transporter | undefined

  constructor(@Inject(CONFIG) private readonly config: Config) {
    const { smtpUrl } = config.mail
    if (smtpUrl === undefined) return
    this.#transport = createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
  }

  /**
   * Answers whether it was handed to the mail server: without one of ours it is not. Sent twice, it has the same Message-ID.
   * @throws where the mail server does not take it, for good where it never will.
   */
  async send(payment: PaidRow): Promise<boolean> {
    if (!this.#transport) return false
    const { publicUrl } = this.config.http
    try {
      await this.#transport.sendMail({
        from: this.config.mail.from,
        to: payment.customer_email,
        subject: `Your Earmark receipt: ${creditsOf(payment)} credits`,
        messageId: `<receipt-${payment.session_id}@${new URL(publicUrl).hostname}>`,
        text: textOf(payment, publicUrl),
        html: htmlOf(payment, publicUrl),
      })
      return true
    } catch (error) {
      const isRefused = error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500
      throw isRefused ? ApplicationFailure.nonRetryable(error.message, 'MailRefused') : error
    }
  }

  onApplicationShutdown() {
    this.#transport?.close()
  }
}

function creditsOf(payment: PaymentRow): number {
  return toCredits(microcredits(payment.credits_microcredits))
}

/** What a receipt says, line by line. */
function linesOf(payment: PaidRow): [string, string][] {
  const paidAt = payment.credited_at ?? payment.created_at
  return [
    ['Package', payment.package_name],
    ['Credits', String(creditsOf(payment))],
    ['Paid', `$${(payment.price_cents / 100).toFixed(2)} ${payment.currency.toUpperCase()}`],
    ['Date', paidAt.toISOString().slice(0, 16).replace('T', ' ') + ' UTC'],
    ['Payment', payment.payment_intent_id ?? payment.session_id],
  ]
}

const opening = 'Thank you. Your credits are on your account, and they never expire.'

function textOf(payment: PaidRow, publicUrl: string): string {
  const lines = linesOf(payment).map(([name, value]) => `${name.padEnd(10)}${value}`)
  return [opening, '', ...lines, '', `Your credit history: ${publicUrl}/credits`, ''].join('\n')
}

function htmlOf(payment: PaidRow, publicUrl: string): string {
  const rows = linesOf(payment)
    .map(
      ([name, value]) =>
        `<tr><td style="padding:4px 24px 4px 0;color:#5B645F">${name}</td><td>${escaped(value)}</td></tr>`,
    )
    .join('')
  return (
    `<div style="font:15px/23px system-ui,sans-serif;color:#161A18;max-width:480px">` +
    `<p>${opening}</p><table style="border-collapse:collapse">${rows}</table>` +
    `<p><a href="${escaped(publicUrl)}/credits" style="color:#0B5D4E">See your credit history</a></p></div>`
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
