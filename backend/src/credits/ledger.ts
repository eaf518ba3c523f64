import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Injectable } from '@nestjs/common'
import { EventStore, type RecordedEvent } from '../platform/event-store/event-store.ts'
import { currentRequestId } from '../platform/logging/logger.ts'
import { emptyAccount, evolve } from './domain/account.ts'
import { zero, type Microcredits } from './domain/amounts.ts'
import { type CreditCommand, decide, operationsNamedBy, type Receipt, type Refusal } from './domain/decide.ts'
import { readCreditEvent, writeCreditEvent } from './credit-event.schema.ts'

export type LedgerAnswer = { accepted: true; receipt: Receipt } | { accepted: false; refusal: Refusal }

const appendAttempts = 200
/** Another process that is as busy must not always be the first: each waits a moment of its own. */
const conflictWaitMs = 5

/** An account's stream. */
export function accountStream(userId: string): string {
  return `creditAccount-${userId}`
}

/** The one way by which credits move: read what the decision needs, decide, append behind what was read. */
@Injectable()
export class Ledger {
  /** Commands on one account wait for each other here, so that only another process can come in between. */
  readonly #lastOfAccount = new Map<string, Promise<unknown>>()

  constructor(private readonly events: EventStore) {}

  /** The balance now and what is owed, read from the stream's head. */
  async position(userId: string): Promise<Position> {
    return positionAfter(await this.events.readHead(accountStream(userId)))
  }

  async balance(userId: string): Promise<Microcredits> {
    return (await this.position(userId)).balanceMicrocredits
  }

  /** What a command would answer now. Nothing is written, and by the time it is sent the answer may be another. */
  async preview(userId: string, command: CreditCommand): Promise<LedgerAnswer> {
    const { decision } = await this.#decide(userId, command)
    return decision.accepted ? { accepted: true, receipt: decision.receipt } : decision
  }

  /**
   * Carries a command out once, however often it comes. A refusal is an answer.
   * @throws where the store cannot be reached or is too busy: then the outcome is unknown, and the same command may come again.
   */
  async execute(userId: string, command: CreditCommand): Promise<LedgerAnswer> {
    const before = this.#lastOfAccount.get(userId) ?? Promise.resolve()
    const answer = before.then(() => this.#decideAndAppend(userId, command))
    const settled = answer.catch(() => undefined)
    this.#lastOfAccount.set(userId, settled)
    try {
      return await answer
    } finally {
      if (this.#lastOfAccount.get(userId) === settled) this.#lastOfAccount.delete(userId)
    }
  }

  async #decideAndAppend(userId: string, command: CreditCommand): Promise<LedgerAnswer> {
    const stream = accountStream(userId)
    for (let attempt = 0; attempt < appendAttempts; attempt += 1) {
      const { decision, revision } = await this.#decide(userId, command)
      if (!decision.accepted) return decision
      if (!decision.event) return { accepted: true, receipt: decision.receipt }

      const requestId = currentRequestId()
      const event = writeCreditEvent(
        decision.event,
        randomUUID(),
        requestId === undefined ? {} : { requestId },
      )
      const outcome = await this.events.append(stream, revision, [event])
      if (outcome === 'appended') return { accepted: true, receipt: decision.receipt }
      await sleep(Math.random() * conflictWaitMs)
    }
    throw new Error(`Account of user ${userId} is too busy: ${appendAttempts} appends met another one`)
  }
  /** Decides on what the account is at `revision`. */
  async #decide(userId: string, command: CreditCommand) {
    const relevant = await this.events.readForDecision(accountStream(userId), operationsNamedBy(command))
    const account = relevant.map(readCreditEvent).reduce(evolve, emptyAccount)
    return { decision: decide(command, account), revision: relevant.at(-1)?.revision ?? -1 }
  }
}

/** What an account has and what it owes; never both above zero. */
export type Position = { balanceMicrocredits: Microcredits; owedMicrocredits: Microcredits }

/** The position behind an account's event; of an account without one: nothing. */
export function positionAfter(recorded: RecordedEvent | undefined): Position {
  if (!recorded) return { balanceMicrocredits: zero, owedMicrocredits: zero }
  const { balanceAfterMicrocredits, owedAfterMicrocredits } = readCreditEvent(recorded)
  return { balanceMicrocredits: balanceAfterMicrocredits, owedMicrocredits: owedAfterMicrocredits }
}
