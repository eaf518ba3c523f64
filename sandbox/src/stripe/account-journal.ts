import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { unixSeconds } from './ids.ts'
import type { Checkout } from './session-object.ts'

export type Delivery = {
  eventId: string
  type: string
  /** 1 is the first. */
  attempt: number
  /** ISO 8601. */
  at: string
  /** What the receiver answered; null where there was no answer. */
  status: number | null
}

/** Whatever an account holds, oldest first; the intents lie in their checkouts. */
export type AccountState = {
  checkouts: Checkout[]
  charges: Stripe.Charge[]
  refunds: Stripe.Refund[]
  events: Stripe.EventBase[]
  deliveries: Delivery[]
}

/** How long Stripe keeps its events (https://docs.stripe.com/api/events). */
const keptSeconds = 30 * 86_400

/**
 * Keeps an account over a `kill -9`: each line of `stripe.jsonl` holds, whole, all that one step changed, so that a
 * line that was cut off is a step that never was. Written before anybody hears of the step. Not synced to the disk: what
 * the system was given outlives the process, and no more is asked.
 */
export class AccountJournal {
  /** As it was found. */
  readonly state: AccountState
  readonly #file: string | undefined

  /** @param folder none: nothing is kept. @throws where it cannot be read or written. */
  constructor(folder?: string) {
    this.#file = folder === undefined ? undefined : join(folder, 'stripe.jsonl')
    if (folder === undefined || this.#file === undefined) {
      this.state = stateOf('')
      return
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.state = read(this.#file)
    writeFileSync(`${this.#file}.new`, lineOf(this.state))
    renameSync(`${this.#file}.new`, this.#file)
  }

  append(changed: Partial<AccountState>): void {
    if (this.#file !== undefined) appendFileSync(this.#file, lineOf(changed))
  }
}

function read(file: string): AccountState {
  if (!existsSync(file)) return stateOf('')
  try {
    return stateOf(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} cannot be read; without it all begins anew: ${String(error)}`, { cause: error })
  }
}

function lineOf(changed: Partial<AccountState>): string {
  return `${JSON.stringify(changed)}\n`
}

/** What the lines come to: the latest of each thing, without those that are too old. @throws SyntaxError. */
function stateOf(lines: string): AccountState {
  // What follows the last line break was cut off.
  const steps = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Partial<AccountState>)
  const all = <K extends keyof AccountState>(name: K) =>
    steps.flatMap((step): AccountState[K][number][] => step[name] ?? [])

  const itself = <T>(thing: T) => thing
  const events = latest(all('events'), itself)
  const eventIds = new Set(events.map(({ id }) => id))
  return {
    checkouts: latest(all('checkouts'), ({ session }) => session),
    charges: latest(all('charges'), itself),
    refunds: latest(all('refunds'), itself),
    events,
    deliveries: all('deliveries').filter(({ eventId }) => eventIds.has(eventId)),
  }
}

function latest<T>(things: T[], rowOf: (thing: T) => { id: string; created: number }): T[] {
  const since = unixSeconds() - keptSeconds
  const byId = new Map(things.map((thing) => [rowOf(thing).id, thing]))
  return [...byId.values()].filter((thing) => rowOf(thing).created >= since)
}
