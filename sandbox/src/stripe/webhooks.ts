import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type Stripe from 'stripe'
import type { Faults } from '../control/faults.ts'
import type { RequestLog } from '../control/request-log.ts'
import type { AccountJournal, Delivery } from './account-journal.ts'
import { unixSeconds } from './ids.ts'

export type WebhookTarget = { url: string | null; secret: string }

const firstWaitMs = 1000
const greatestWaitMs = 60_000
const greatestAttempts = 14
const answerTimeoutMs = 20_000
const greatestDeliveries = 500

type World = { faults: Faults; requests: RequestLog; journal: AccountJournal }

/** Brings events to the product's webhook, signed and retried as Stripe does, though with shorter waits. */
export class Webhooks {
  target: WebhookTarget
  readonly #world: World
  readonly #closed = new AbortController()
  #deliveries: Delivery[]

  constructor(target: WebhookTarget, world: World) {
    this.target = target
    this.#world = world
    this.#deliveries = world.journal.state.deliveries.slice(-greatestDeliveries)
  }

  /** The latest attempts, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries
  }

  /** Starts to deliver; each event goes its own way, so their order is not kept. */
  send(event: Stripe.EventBase, firstAttempt = 1): void {
    if (this.target.url === null) return
    event.pending_webhooks = 1
    this.#deliver(event, firstAttempt).catch((error: unknown) => {
      if (!this.#closed.signal.aborted) console.error(error)
    })
  }

  /** Goes on with those of the events that a killed sandbox had not brought. */
  resume(events: Iterable<Stripe.EventBase>): void {
    const attempts = new Map(
      this.#world.journal.state.deliveries.map((tried) => [tried.eventId, tried.attempt]),
    )
    for (const event of events) {
      if (event.pending_webhooks > 0) this.send(event, (attempts.get(event.id) ?? 0) + 1)
    }
  }

  close(): void {
    this.#closed.abort()
  }

  async #deliver(event: Stripe.EventBase, firstAttempt: number): Promise<void> {
    const { journal } = this.#world
    for (let attempt = firstAttempt; attempt <= greatestAttempts; attempt += 1) {
      const { url, secret } = this.target
      if (url === null) break
      const delivery: Delivery = {
        eventId: event.id,
        type: event.type,
        attempt,
        at: new Date().toISOString(),
        status: null,
      }
      this.#deliveries = [...this.#deliveries.slice(1 - greatestDeliveries), delivery]
      delivery.status = await this.#attempt(event, url, secret)
      journal.append({ deliveries: [delivery] })
      if (delivery.status !== null && delivery.status >= 200 && delivery.status < 300) break
      const waitMs = Math.min(firstWaitMs * 2 ** (attempt - 1), greatestWaitMs)
      await sleep(waitMs, undefined, { signal: this.#closed.signal, ref: false })
    }
    event.pending_webhooks = 0
    journal.append({ events: [event] })
  }

  /** The receiver's status, null where it could not be reached. */
  async #attempt(event: Stripe.EventBase, url: string, secret: string): Promise<number | null> {
    const { faults, requests } = this.#world
    const entry = requests.add('stripe_webhooks', 'POST', `${url} ${event.type} ${event.id}`)
    const fault = faults.take('stripe_webhooks')
    if (fault?.kind === 'slow')
      await sleep(fault.delayMs, undefined, { signal: this.#closed.signal, ref: false })
    else if (fault) return null

    const body = JSON.stringify(event, null, 2)
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signatureOf(body, secret),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(answerTimeoutMs)]),
      })
      await answer.body?.cancel()
      entry.status = answer.status
      return answer.status
    } catch {
      entry.aborted = true
      return null
    }
  }
}

/** https://docs.stripe.com/webhooks#verify-manually */
function signatureOf(body: string, secret: string): string {
  const at = unixSeconds()
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}
