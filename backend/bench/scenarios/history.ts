import { randomUUID } from 'node:crypto'
import { median, turnSeconds } from '../measure.ts'
import { charge, expectAccepted, newUsers, openAccounts, openOurs, type Ours } from '../ours.ts'
import { compare, type Row } from '../report.ts'

const rounds = 5
const shortEvents = 10
const longEvents = 100_000
/** So many that the charges which are measured leave each of them short. */
const shortAccounts = 500

/** One caller charges an account with a long history and one with a short one, each in turn. */
export async function history(url: string): Promise<Row[]> {
  const ours = openOurs(url)
  const [long = '', ...short] = newUsers(1 + shortAccounts)
  await openAccounts(ours, [long, ...short])
  const fill = (user: string, events: number) =>
    atOnce(events - 1, 256, () => expectAccepted(ours.ledger.execute(user, charge(randomUUID()))))
  await Promise.all(short.map((user) => fill(user, shortEvents)))
  // What the planner learnt while every account was young must do for the one that grows old.
  await ours.pool.query('analyze events')
  await fill(long, longEvents)

  const warm = await alternate(ours, { long, short, isCold: false })
  const cold = await alternate(ours, { long, short, isCold: true })
  await ours.close()
  const row = (name: string, { longMs, shortMs }: typeof warm, goal: number) =>
    compare({ name, unit: 'ms', ours: longMs, theirs: shortMs, goal, bound: 'at most' })
  return [
    row('history: 100,000 events against 10, warm', warm, 1.1),
    row('history: 100,000 events against 10, cold', cold, 3),
  ]
}

/** The medians of each round, in milliseconds. Cold: by a ledger that has met no account yet. */
async function alternate(
  ours: Ours,
  { long, short, isCold }: { long: string; short: string[]; isCold: boolean },
) {
  const longMs: number[] = []
  const shortMs: number[] = []
  const timed = async (user: string, into: number[]) => {
    const ledger = isCold ? ours.newLedger() : ours.ledger
    const begun = performance.now()
    await expectAccepted(ledger.execute(user, charge(randomUUID())))
    into.push(performance.now() - begun)
  }
  for (let round = -1; round < rounds; round += 1) {
    const turn = { long: [] as number[], short: [] as number[] }
    const endsAt = performance.now() + turnSeconds * 1000
    for (let next = 0; performance.now() < endsAt; next += 1) {
      await timed(long, turn.long)
      await timed(short[next % short.length] ?? '', turn.short)
    }
    // The first is for warming up.
    if (round < 0) continue
    longMs.push(median(turn.long))
    shortMs.push(median(turn.short))
  }
  return { longMs, shortMs }
}

async function atOnce(times: number, callers: number, operation: () => Promise<unknown>) {
  let begun = 0
  const call = async () => {
    while (begun++ < times) await operation()
  }
  await Promise.all(Array.from({ length: callers }, call))
}
