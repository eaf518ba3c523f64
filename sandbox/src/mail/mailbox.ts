import { randomUUID } from 'node:crypto'
import PostalMime, { type Address } from 'postal-mime'

export type Message = {
  id: string
  /** ISO 8601, when it came in. */
  at: string
  from: string
  /** Who it was delivered to, whatever its head says. */
  to: string[]
  subject: string
  text: string | null
  html: string | null
  headers: Record<string, string>
  attachments: { filename: string | null; mimeType: string; sizeBytes: number }[]
}

const greatestLength = 500

/** The mails that came in, newest first. */
export class Mailbox {
  #messages: Message[] = []

  async add(raw: Buffer, recipients: string[]): Promise<Message> {
    const parsed = await PostalMime.parse(raw)
    const message: Message = {
      id: randomUUID(),
      at: new Date().toISOString(),
      from: parsed.from ? addressOf(parsed.from) : '',
      to: recipients,
      subject: parsed.subject ?? '',
      text: parsed.text ?? null,
      html: parsed.html ?? null,
      headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
      attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
        filename,
        mimeType,
        sizeBytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
      })),
    }
    this.#messages = [message, ...this.#messages].slice(0, greatestLength)
    return message
  }

  /** All, or those to this address, in whatever case. */
  to(address?: string): readonly Message[] {
    const wanted = address?.toLowerCase()
    return wanted === undefined
      ? this.#messages
      : this.#messages.filter(({ to }) => to.some((recipient) => recipient.toLowerCase() === wanted))
  }

  find(id: string): Message | undefined {
    return this.#messages.find((message) => message.id === id)
  }

  clear(): void {
    this.#messages = []
  }
}

function addressOf({ name, address }: Address): string {
  return name ? `${name} <${address ?? ''}>` : (address ?? '')
}
