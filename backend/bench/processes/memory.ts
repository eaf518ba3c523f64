import { randomUUID } from 'node:crypto'
import { answerParent } from '../child.ts'
import { expectAccepted, grant, openOurs } from '../ours.ts'

export type MemoryQuestion = { accounts: number; withinSeconds: number }
export type MemoryAnswer = { touched: number; heapMb: number; residentMb: number }

const [url = ''] = process.argv.slice(2)
const ours = openOurs(url)
const callers = 256
let touched = 0

/** Gives credits to accounts that nobody has heard of, until so many were touched; then says what is kept. */
answerParent(
  async ({ accounts, withinSeconds }: MemoryQuestion): Promise<MemoryAnswer> => {
    const deadline = performance.now() + withinSeconds * 1000
    const touch = async () => {
      while (touched < accounts && performance.now() < deadline) {
        touched += 1
        await expectAccepted(ours.ledger.execute(randomUUID(), grant(randomUUID(), 1_000_000)))
      }
    }
    await Promise.all(Array.from({ length: callers }, touch))
    for (let pass = 0; pass < 3; pass += 1) globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    return { touched, heapMb: heapUsed / 1e6, residentMb: rss / 1e6 }
  },
  () => ours.close(),
)
process.send?.('ready')
