import { randomUUID } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { CONFIG, type Config } from '../platform/config/config.ts'
import { EventStore, type Head, type NewEvent, streamPrefix } from '../platform/event-store/event-store.ts'
import { currentRequestId } from '../platform/logging/logger.ts'
import { isUnreachable } from '../platform/unreachable.ts'
import { type Account, emptyAccount, evolve } from './domain/account.ts'
import { zero, type Microcredits } from './domain/amounts.ts'
import {
  type CreditCommand,
  type Decision,
  decide,
  isOperationId,
  operationsNamedBy,
  type Receipt,
  type Refusal,
} from './domain/decide.ts'
import { readCreditEvent, writeCreditEvent } from './credit-event.schema.ts'

export type LedgerAnswer = { accepted: true; receipt: Receipt } | { accepted: false; refusal: Refusal }

/** What an account has and what it owes; never both above zero. */
export type Position = { balanceMicrocredits: Microcredits; owedMicrocredits: Microcredits }

/** An account at its stream's revision; -1: it has no event yet. */
type AccountAt = { account: Account; revision: number }

/** A command that waits for its answer. */
type Letter = {
  command: CreditCommand
  metadata: Record<string, unknown>
  /** By the clock of `performance`. */
  givesUpAtMs: number
  answer: (answer: LedgerAnswer) => void
  fail: (error: unknown) => void
}

/** As many commands on one account are decided on together, and appended as one. */
const roundSize = 256
/** As many are decided on without reading the account, where it is remembered. */
const unseenRoundSize = 4
/** No attempt begins later than this after its command came: then its sender is told, who may send it again. */
const settleWithinMs = 9_000
/** Its sender is told by then, whatever still hangs: the last attempt, which reads and appends, may begin just before. */
const answerWithinMs = 14_000
/** After another process was seen to move an account that is remembered, accounts are read before they are appended to. */
const distrustMs = 1_000
/** Another process that is as busy must not always be the first: each waits a moment of its own. */
const conflictWaitMs = 5
const outageWaitMs = 100

/** The account, or this process, cannot take the command now. Sending it again is safe, whether it was carried out or not. */
export class LedgerBusyError extends Error {
  override readonly name = 'LedgerBusyError'
  readonly code = 'EBUSY'
}

/** Whether the command was carried out is unknown; it may be sent again. */
export class LedgerTimeoutError extends Error {
  override readonly name = 'LedgerTimeoutError'
  readonly code = 'ETIMEDOUT'
}

/** An account's stream. */
export function accountStream(userId: string): string {
  return `${streamPrefix}${userId}`
}

/**
 * The one way by which credits move: decide on what the account is, append right behind it. Commands on one account
 * wait in its mailbox; those that wait together are decided on one after the other and appended as one.
 */
@Injectable()
export class Ledger implements OnApplicationShutdown {
  readonly #mailboxes = new Map<string, { letters: Letter[]; emptied: Promise<void> }>()
  /** Where accounts were when this process last appended to them, the longest unused first. Another may have moved on since. */
  readonly #heads = new Map<string, Position & { revision: number }>()
  /** By the clock of `performance`: until then other processes are busy on the same accounts, and what is remembered is old. */
  #othersBusyUntilMs = 0
  #isClosing = false

  constructor(
    private readonly events: EventStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ledger'>,
  ) {}

  /** The balance now and what is owed, read from the stream's head. */
  async position(userId: string): Promise<Position> {
    return positionAfter(await this.events.readHead(accountStream(userId)))
  }

  async balance(userId: string): Promise<Microcredits> {
    return (await this.position(userId)).balanceMicrocredits
  }

  /** What a command would answer now. Nothing is written, and by the time it is sent the answer may be another. */
  async preview(userId: string, command: CreditCommand): Promise<LedgerAnswer> {
    // An id that no store can hold must not get as far as one.
    if (!isWellNamed(command)) return toAnswer(decide(command, emptyAccount))
    const { account } = await this.#read(userId, [command])
    return toAnswer(decide(command, account))
  }

  /**
   * Carries a command out once, however often it comes. A refusal is an answer.
   * @throws LedgerBusyError where too many commands wait for the account: then it was not carried out.
   * @throws where the store cannot be reached or the outcome stays unknown (`isUnreachable`): the same command may come again.
   */
  async execute(userId: string, command: CreditCommand): Promise<LedgerAnswer> {
    if (!isUuid(userId)) throw new RangeError(`"${userId}" is no id of an account`)
    if (!isWellNamed(command)) return toAnswer(decide(command, emptyAccount))
    const requestId = currentRequestId()
    const metadata = requestId === undefined ? {} : { requestId }
    const givesUpAtMs = performance.now() + settleWithinMs
    let timer: NodeJS.Timeout | undefined
    const answered = new Promise<LedgerAnswer>((answer, fail) => {
      timer = setTimeout(
        () => fail(new LedgerTimeoutError(`No answer within ${answerWithinMs} ms, for user ${userId}`)),
        answerWithinMs,
      )
      const letter = { command, metadata, givesUpAtMs, answer, fail }
      const letters = this.#mailboxes.get(userId)?.letters
      if (this.#isClosing) fail(new LedgerBusyError('The ledger is closing'))
      else if (!letters) this.#open(userId, letter)
      else if (letters.length >= this.config.ledger.mailboxSize)
        fail(new LedgerBusyError(`${letters.length} commands wait for the account of user ${userId} already`))
      else letters.push(letter)
    })
    return answered.finally(() => clearTimeout(timer))
  }

  /** Every command that was taken in is answered before the store goes. */
  async onApplicationShutdown() {
    this.#isClosing = true
    await Promise.all([...this.#mailboxes.values()].map(({ emptied }) => emptied))
  }

  #open(userId: string, first: Letter) {
    const letters = [first]
    const empty = async () => {
      for (;;) {
        // Those who were answered together send their next commands in this turn of the event loop.
        await setImmediate()
        if (letters.length === 0) break
        const busy = () => new LedgerBusyError(`The account of user ${userId} was busy for too long`)
        await this.#settle(userId, failOverdue(letters.splice(0, roundSize), busy))
      }
      this.#mailboxes.delete(userId)
    }
    const mailbox = { letters, emptied: Promise.resolve() }
    this.#mailboxes.set(userId, mailbox)
    mailbox.emptied = empty()
  }

  /** Answers every letter or fails it; never throws. */
  async #settle(userId: string, letters: readonly Letter[]): Promise<void> {
    for (let attempt = 0; letters.length > 0; attempt += 1) {
      let failure: unknown
      try {
        if (await this.#decideAndAppend(userId, letters, attempt === 0)) return
      } catch (error) {
        failure = error
      }
      if (failure !== undefined && !isUnreachable(failure)) {
        if (letters.length === 1) return letters[0]?.fail(failure)
        // One that cannot be carried out at all must not take the others with it.
        for (const letter of letters)
          await this.#settle(
            userId,
            failOverdue([letter], () => failure),
          )
        return
      }
      letters = failOverdue(
        letters,
        () =>
          failure ??
          new LedgerBusyError(`The account of user ${userId} is too busy: every attempt met another`),
      )
      // A reply that was lost, or another process that came in between: what there is now says which.
      if (failure !== undefined) await sleep(outageWaitMs)
      else if (attempt > 0) await sleep(Math.random() * conflictWaitMs)
    }
  }

  /** Answers whether it came to an end: false where another process has moved the account meanwhile. */
  async #decideAndAppend(userId: string, letters: readonly Letter[], isFirst: boolean): Promise<boolean> {
    const known = isFirst ? this.#recall(userId, letters) : undefined
    let round = known && decideAll(known, letters)
    // What this process knows may be old, so only the store's word refuses.
    if (!round || round.decisions.some((decision) => !decision.accepted)) {
      const commands = letters.map(({ command }) => command)
      round = decideAll(await this.#read(userId, commands), letters)
    }

    const { decisions, events, after } = round
    if (events.length > 0) {
      const revision = after.revision - events.length
      if ((await this.events.append(accountStream(userId), revision, events)) === 'conflict') return false
      this.#remember(userId, after)
    }
    decisions.forEach((decision, index) => letters[index]?.answer(toAnswer(decision)))
    return true
  }

  async #read(userId: string, commands: readonly CreditCommand[]): Promise<AccountAt> {
    const operationIds = commands.flatMap(operationsNamedBy)
    const relevant = await this.events.readForDecision(accountStream(userId), operationIds)
    const revision = relevant.at(-1)?.revision ?? -1
    const remembered = this.#heads.get(userId)
    if (remembered && remembered.revision !== revision)
      this.#othersBusyUntilMs = performance.now() + distrustMs
    return { account: relevant.map(readCreditEvent).reduce(evolve, emptyAccount), revision }
  }

  /**
   * What is known of an account, where that is enough for commands which name no earlier operation. Of many commands
   * one may well be a repeat, and all of them would be decided on twice: then it is better to look first.
   */
  #recall(userId: string, letters: readonly Letter[]): AccountAt | undefined {
    const head = this.#heads.get(userId)
    if (!head || letters.length > unseenRoundSize || performance.now() < this.#othersBusyUntilMs)
      return undefined
    if (letters.some(({ command }) => operationsNamedBy(command).length > 1)) return undefined
    const { revision, ...position } = head
    return { account: { ...emptyAccount, ...position }, revision }
  }

  #remember(userId: string, { account, revision }: AccountAt) {
    const { balanceMicrocredits, owedMicrocredits } = account
    this.#heads.delete(userId)
    this.#heads.set(userId, { balanceMicrocredits, owedMicrocredits, revision })
    if (this.#heads.size <= this.config.ledger.cachedAccounts) return
    const [longestUnused] = this.#heads.keys()
    if (longestUnused !== undefined) this.#heads.delete(longestUnused)
  }
}

function isWellNamed(command: CreditCommand): boolean {
  return operationsNamedBy(command).every(isOperationId)
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
}

/** Answers those that may go on waiting. */
function failOverdue(letters: readonly Letter[], reason: () => unknown): Letter[] {
  const now = performance.now()
  for (const letter of letters) if (letter.givesUpAtMs <= now) letter.fail(reason())
  return letters.filter((letter) => letter.givesUpAtMs > now)
}

/** Decides on each command after those before it. */
function decideAll({ account, revision }: AccountAt, letters: readonly Letter[]) {
  const events: NewEvent[] = []
  const decisions: Decision[] = []
  for (const { command, metadata } of letters) {
    const decision = decide(command, account)
    decisions.push(decision)
    if (!decision.accepted || !decision.event) continue
    account = evolve(account, decision.event)
    events.push(writeCreditEvent(decision.event, randomUUID(), metadata))
  }
  return { decisions, events, after: { account, revision: revision + events.length } }
}

function toAnswer(decision: Decision): LedgerAnswer {
  return decision.accepted ? { accepted: true, receipt: decision.receipt } : decision
}

/** The position behind an account's event; of an account without one: nothing. */
export function positionAfter(recorded: Head | undefined): Position {
  if (!recorded) return { balanceMicrocredits: zero, owedMicrocredits: zero }
  const { balanceAfterMicrocredits, owedAfterMicrocredits } = readCreditEvent(recorded)
  return { balanceMicrocredits: balanceAfterMicrocredits, owedMicrocredits: owedAfterMicrocredits }
}
