import { startChild } from '../child.ts'
import { inTurn, load, type Round } from '../measure.ts'
import { chargeMix, newUsers, openAccounts, openOurs } from '../ours.ts'
import type { MemoryAnswer, MemoryQuestion } from '../processes/memory.ts'
import type { ReplicaTurn } from '../processes/replica.ts'
import { compare, of, type Row } from '../report.ts'

const clients = 64
const accounts = 1000
const rounds = 5

/** How fast the projector reads what was written while it did not run. */
export async function catchUp(url: string): Promise<Row[]> {
  const ours = openOurs(url)
  const users = newUsers(accounts)
  await openAccounts(ours, users)
  const next = chargeMix(users)
  const charged: number[] = []
  const caughtUp: number[] = []
  for (let round = -1; round < rounds; round += 1) {
    const { perSecond } = await load(() => next(ours.ledger), { clients })
    const behind = await ours.lag()
    const begun = performance.now()
    const stop = ours.startProjector()
    await ours.drain()
    const seconds = (performance.now() - begun) / 1000
    await stop()
    // The first is for warming up.
    if (round < 0) continue
    charged.push(perSecond)
    caughtUp.push(behind / seconds)
  }
  await ours.close()
  const enough = 50_000
  const row = compare({
    name: 'catch-up: our own charges',
    unit: 'events/s',
    ours: caughtUp,
    theirs: charged,
    goal: 5,
  })
  return [
    {
      ...row,
      met: row.met === true || (row.ours ?? 0) >= enough,
      note: `met as well at ${enough.toLocaleString('en')} events/s`,
    },
  ]
}

/** Two processes with 32 clients each against one with 64, on the same accounts. */
export async function replicas(url: string): Promise<Row[]> {
  const ours = openOurs(url)
  const users = newUsers(accounts)
  await openAccounts(ours, users)
  await ours.close()
  const projector = startChild('projector', { args: [url] })
  const [one, other] = [startChild('replica', { args: [url] }), startChild('replica', { args: [url] })]
  const ask = (child: typeof one, share: number) =>
    child.ask<Round>({ clients: clients * share, users } satisfies ReplicaTurn)
  const results = await inTurn([
    {
      name: 'two',
      turn: async () => {
        const [first, second] = await Promise.all([ask(one, 0.5), ask(other, 0.5)])
        return {
          perSecond: first.perSecond + second.perSecond,
          p99Ms: Math.max(first.p99Ms, second.p99Ms),
        }
      },
    },
    { name: 'one', turn: () => ask(one, 1) },
  ])
  await Promise.all([one.stop(), other.stop(), projector.stop()])
  const [two, alone] = [of(results, 'two', 'perSecond'), of(results, 'one', 'perSecond')]
  return [
    compare({ name: 'replicas: two against one', unit: 'charges/s', ours: two, theirs: alone, goal: 1 }),
  ]
}

const cap = 100_000
const wanted = 1_000_000

/** What a process keeps of the accounts that it has met, beyond the cap that is configured and at it. */
export async function memory(url: string): Promise<Row[]> {
  const child = startChild('memory', { args: [url], execArgv: ['--expose-gc'] })
  await child.greeting()
  const touch = (question: MemoryQuestion) => child.ask<MemoryAnswer>(question)
  const atCap = await touch({ accounts: cap, withinSeconds: 30 })
  const beyond = await touch({ accounts: wanted, withinSeconds: 60 })
  await child.stop()
  const count = (touched: number) => touched.toLocaleString('en')
  return [
    compare({
      name: `memory: ${count(beyond.touched)} accounts against ${count(atCap.touched)}`,
      unit: 'MB of heap',
      ours: [beyond.heapMb],
      theirs: [atCap.heapMb],
      goal: 1.1,
      bound: 'at most',
      note: `the cap is LEDGER_CACHED_ACCOUNTS=${count(cap)}; resident ${Math.round(atCap.residentMb)} and then ${Math.round(beyond.residentMb)} MB`,
    }),
  ]
}
