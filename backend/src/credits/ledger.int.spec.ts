import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventStores, type StoreUnderTest } from '../../test/event-stores.ts'
import { sequence } from '../../test/random-numbers.ts'
import { expectAccountHolds } from '../../test/ledger-holds.ts'
import { commands, PaperLedger } from '../../test/ledger-model.ts'
import { EventStore } from '../platform/event-store/event-store.ts'
import { toProblem } from '../platform/http/problem.ts'
import { waitingOutOutages } from '../platform/unreachable.ts'
import { microcredits } from './domain/amounts.ts'
import type { CreditCommand } from './domain/decide.ts'
import { accountStream, Ledger, LedgerBusyError } from './ledger.ts'

const note = { description: 'test' }
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

describe.each(Object.entries(eventStores))(`the ledger on %s (SEED=${seed})`, (_, openStore) => {
  let underTest: StoreUnderTest
  /** Two processes on one store: each has mailboxes and a memory of its own. */
  let stores: [EventStore, EventStore]
  let ledgers: [Ledger, Ledger]

  beforeAll(async () => {
    underTest = await openStore()
    stores = [underTest.open(), underTest.open()]
    ledgers = [new Ledger(stores[0], underTest.config), new Ledger(stores[1], underTest.config)]
  })

  afterAll(() => underTest.close())

  const grant = (user: string, amount: number) =>
    ledgers[0].execute(user, {
      type: 'grant',
      operationType: 'grant',
      operationId: randomUUID(),
      amountMicrocredits: microcredits(amount),
      note,
    })
  const deduction = (operationId: string, amount: number): CreditCommand => ({
    type: 'deduct',
    operationId,
    amountMicrocredits: microcredits(amount),
    operationType: 'transcription',
    note,
  })
  const expectConsistent = async (user: string) => {
    const events = await stores[0].readStream(accountStream(user))
    expect(events.length).toBeGreaterThan(0)
    expectAccountHolds(events)
  }

  // Seen red with a `deduct` that lets the balance be owed.
  it('accepts exactly as many of 1,000 concurrent deductions as the balance holds, and refuses the others', async () => {
    const user = randomUUID()
    const price = 1000 + (seed % 977)
    const affordable = 100 + (seed % 300)
    const rest = seed % price
    await grant(user, price * affordable + rest)
    const random = sequence(seed)

    const ids = Array.from({ length: 1000 }, () => randomUUID())
    const answers: boolean[] = []
    await inLanes(32, async () => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const answer = await ledgers[random() % 8 === 0 ? 1 : 0].execute(user, deduction(id, price))
        if (!answer.accepted) expect(answer.refusal.code).toBe('insufficient_credits')
        answers.push(answer.accepted)
      }
    })

    expect(answers).toHaveLength(1000)
    expect(answers.filter(Boolean)).toHaveLength(affordable)
    expect(await ledgers[0].balance(user)).toBe(rest)
    await expectConsistent(user)
  })

  // Seen red with appends that look at revisions alone, and an index on operations that is not unique.
  it('makes one event of an operation that comes 100 times at once, after a restart and a month later', async () => {
    const user = randomUUID()
    await grant(user, 10_000)
    const command = deduction('the same', 3000)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => ledgers[index % 2 === 0 ? 0 : 1].execute(user, command)),
    )
    answers.push(await new Ledger(underTest.open(), underTest.config).execute(user, command))
    await underTest.letTimePass(31)
    answers.push(await ledgers[0].execute(user, command))
    answers.push(await new Ledger(underTest.open(), underTest.config).execute(user, command))

    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1)
    expect(await ledgers[0].balance(user)).toBe(7000)
    for (const ledger of ledgers) {
      expect(await ledger.execute(user, deduction('the same', 3001))).toMatchObject({
        accepted: false,
        refusal: { code: 'operation_conflict' },
      })
    }
    expect(await stores[0].readStream(accountStream(user))).toHaveLength(2)
  })

  // Seen red with decisions that do not read what refers to a deduction.
  it('gives each of 500 deductions back once when two full refunds race, and never more in parts', async () => {
    await inLanes(20, async () => {
      const user = randomUUID()
      await grant(user, 1_000_000)
      for (let round = 0; round < 25; round += 1) {
        const deductionId = `deduction ${round}`
        await ledgers[0].execute(user, deduction(deductionId, 500))
        if (round % 5 === 0)
          await ledgers[1].execute(user, {
            type: 'refund',
            operationId: `part ${round}`,
            deductionId,
            amountMicrocredits: microcredits(200),
            note,
          })
        const refund = (operationId: string): CreditCommand => ({
          type: 'refund_rest',
          operationId,
          deductionId,
          note,
        })
        const answers = await Promise.all([
          ledgers[0].execute(user, refund(`a ${round}`)),
          ledgers[1].execute(user, refund(`b ${round}`)),
        ])
        expect(answers.filter((answer) => answer.accepted)).toHaveLength(1)
        expect(answers.find((answer) => !answer.accepted)).toEqual({
          accepted: false,
          refusal: { code: 'already_refunded' },
        })
      }
      expect(await ledgers[0].balance(user)).toBe(1_000_000)
      await expectConsistent(user)
    })
  })

  // Seen red with appends that do not look at what earlier events refer to.
  it('never lands a deduction that was given back before it came', async () => {
    const user = randomUUID()
    await grant(user, 1000)
    // So that this process remembers the account, and need not read it for the deduction.
    await ledgers[1].execute(user, deduction('earlier', 1))
    const giveBack: CreditCommand = {
      type: 'refund_rest',
      operationId: 'late:give-back',
      deductionId: 'late',
      note,
    }
    expect(await ledgers[1].execute(user, giveBack)).toMatchObject({
      accepted: true,
      receipt: { amountMicrocredits: 0 },
    })
    for (const ledger of [ledgers[1], ledgers[0]]) {
      expect(await ledger.execute(user, deduction('late', 400))).toEqual({
        accepted: false,
        refusal: { code: 'deduction_voided' },
      })
    }
    expect(await ledgers[0].balance(user)).toBe(999)
  })

  // Seen red with a refusal by what the process remembers, and with a broken connection taken for the end.
  it('answers sequences of commands as a ledger on paper does, through crashes that lose replies, and repeats', async () => {
    const mishap = fc.constantFrom('none', 'none', 'none', 'sent again elsewhere', 'sent twice', 'crash')
    const sequences = fc.array(fc.tuple(commands, fc.infiniteStream(mishap)), { minLength: 6, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(sequences, async (accounts) => {
        await Promise.all(accounts.map(([sequence, mishaps]) => compareWithPaper(sequence, mishaps)))
      }),
      { seed, numRuns: 40 },
    )
  })

  async function compareWithPaper(sequence: CreditCommand[], mishaps: Iterator<string>) {
    const user = randomUUID()
    const paper = new PaperLedger()
    for (const command of sequence) {
      const expected = paper.tell(command)
      for (const answer of await send(user, command, mishaps.next().value as string)) {
        const told = answer.accepted
          ? `accepted ${answer.receipt.amountMicrocredits} ${answer.receipt.balanceAfterMicrocredits}`
          : answer.refusal.code
        expect(told).toBe(expected)
      }
    }
    // Another account's crash may still meet these reads.
    const [position, events] = await waitingOutOutages(AbortSignal.timeout(5000), async () => [
      await ledgers[0].position(user),
      await stores[0].readStream(accountStream(user)),
    ])
    expect(position).toEqual({ balanceMicrocredits: paper.balance, owedMicrocredits: paper.owed })
    expectAccountHolds(events)
  }

  async function send(user: string, command: CreditCommand, mishap: string) {
    const [one, other] = ledgers
    if (mishap === 'sent twice')
      return Promise.all([one.execute(user, command), other.execute(user, command)])
    // As by whoever lost the reply: perhaps to another process.
    if (mishap === 'sent again elsewhere')
      return [await other.execute(user, command), await one.execute(user, command)]
    if (mishap === 'crash') {
      const unanswered = new Ledger(stores[1], underTest.config).execute(user, command).catch(() => undefined)
      await underTest.breakConnections()
      const answer = await one.execute(user, command)
      await unanswered
      return [answer]
    }
    return [await one.execute(user, command)]
  }

  it('previews what a command would answer, and writes nothing', async () => {
    const user = randomUUID()
    await grant(user, 10)
    for (const amount of [11, 4]) {
      const previewed = await ledgers[0].preview(user, deduction('d', amount))
      expect(await stores[0].readStream(accountStream(user))).toHaveLength(1)
      expect(await ledgers[0].execute(user, deduction('d', amount))).toEqual(previewed)
    }
  })

  it('lets two processes that are equally busy on one account both come to their turn', async () => {
    const user = randomUUID()
    await grant(user, 10_000)
    const answers = await Promise.all(
      ledgers.flatMap((ledger) =>
        Array.from({ length: 16 }, async () => {
          const accepted: boolean[] = []
          for (let turn = 0; turn < 10; turn += 1)
            accepted.push((await ledger.execute(user, deduction(randomUUID(), 1))).accepted)
          return accepted
        }),
      ),
    )
    expect(answers.flat().filter(Boolean)).toHaveLength(320)
    expect(await ledgers[1].balance(user)).toBe(10_000 - 320)
  })

  // Seen red with mailboxes that have no end.
  it('turns commands away while too many wait for one account, and takes others’ meanwhile', async () => {
    const { config } = underTest
    const ledger = new Ledger(stores[0], { ledger: { ...config.ledger, mailboxSize: 10 } })
    const [user, other] = [randomUUID(), randomUUID()]
    await Promise.all([grant(user, 1000), grant(other, 1000)])
    const ids = Array.from({ length: 100 }, () => randomUUID())
    const first = await Promise.allSettled([
      ...ids.map((id) => ledger.execute(user, deduction(id, 1))),
      ledger.execute(other, deduction('another account', 1)),
    ])
    const turnedAway = first.filter((result) => result.status === 'rejected')
    expect(turnedAway.length).toBeGreaterThan(0)
    expect(first.at(-1)?.status).toBe('fulfilled')
    for (const { reason } of turnedAway) {
      expect(reason).toBeInstanceOf(LedgerBusyError)
      expect(toProblem(reason).status).toBe(503)
    }
    // What was turned away was not carried out, and comes again.
    expect(await ledger.balance(user)).toBe(1000 - (100 - turnedAway.length))
    for (const id of ids) await ledger.execute(user, deduction(id, 1))
    expect(await ledger.balance(user)).toBe(900)
  })

  // Seen red with `onApplicationShutdown` that does not wait.
  it('answers every command that it took in before it closes, and takes no more', async () => {
    const ledger = new Ledger(stores[0], underTest.config)
    const users = Array.from({ length: 20 }, () => randomUUID())
    await Promise.all(users.map((user) => grant(user, 100)))
    let answered = 0
    const sent = users.flatMap((user) =>
      Array.from({ length: 10 }, async () => {
        const { accepted } = await ledger.execute(user, deduction(randomUUID(), 1))
        if (accepted) answered += 1
      }),
    )
    await ledger.onApplicationShutdown()
    await new Promise(setImmediate)
    expect(answered).toBe(200)
    await Promise.all(sent)
    await expect(ledger.execute(users[0] ?? '', deduction('too late', 1))).rejects.toThrow(LedgerBusyError)
  })

  // Seen red with a memory that has no end.
  it('remembers no more accounts than it may', async () => {
    const store = new CountingStore(stores[0])
    const { config } = underTest
    const ledger = new Ledger(store, { ledger: { ...config.ledger, cachedAccounts: 3 } })
    const users = Array.from({ length: 4 }, () => randomUUID())
    const charge = (user: string) => ledger.execute(user, deduction(randomUUID(), 1))
    for (const user of users) await grant(user, 10)
    for (const user of users) await charge(user)
    store.reads = 0
    for (const user of users.slice(1)) await charge(user)
    expect(store.reads).toBe(0)
    await charge(users[0] ?? '')
    expect(store.reads).toBe(1)
  })

  // Seen red with ids that were only looked at after the account was read.
  it.each(['a\u0000b', '\ud800', '', 'x'.repeat(201)])(
    'refuses the operation id %j, and answers whoever asks beside it',
    async (operationId) => {
      const users = Array.from({ length: 5 }, () => randomUUID())
      const fresh = new Ledger(underTest.open(), underTest.config)
      const [refused, ...others] = await Promise.all([
        fresh.execute(randomUUID(), deduction(operationId, 1)),
        ...users.map((user) => fresh.execute(user, deduction('well named', 1))),
      ])
      expect(refused).toEqual({ accepted: false, refusal: { code: 'invalid_operation_id' } })
      for (const other of others) expect(other).toMatchObject({ refusal: { code: 'insufficient_credits' } })
      expect(await fresh.preview(users[0] ?? '', deduction(operationId, 1))).toEqual(refused)
    },
  )

  it('refuses to keep an account under what is no user’s id', async () => {
    await expect(ledgers[0].execute('nobody', deduction('d', 1))).rejects.toThrow('is no id of an account')
  })
})

/** Counts how often a decision had to be read for. */
class CountingStore extends EventStore {
  reads = 0
  readonly readStream: EventStore['readStream']
  readonly readHead: EventStore['readHead']
  readonly append: EventStore['append']
  readonly readAll: EventStore['readAll']
  readonly waitForEvents: EventStore['waitForEvents']

  constructor(private readonly inner: EventStore) {
    super()
    this.readStream = inner.readStream.bind(inner)
    this.readHead = inner.readHead.bind(inner)
    this.append = inner.append.bind(inner)
    this.readAll = inner.readAll.bind(inner)
    this.waitForEvents = inner.waitForEvents.bind(inner)
  }

  readForDecision(streamId: string, operationIds: readonly string[]) {
    this.reads += 1
    return this.inner.readForDecision(streamId, operationIds)
  }
}

async function inLanes(count: number, lane: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, lane))
}
