import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { microcredits } from '../src/credits/domain/amounts.ts'
import type { CreditCommand, Receipt } from '../src/credits/domain/decide.ts'
import { Ledger } from '../src/credits/ledger.ts'
import { transactionsProjection } from '../src/credits/list-transactions/transactions.projection.ts'
import { PostgresEventStore } from '../src/platform/event-store/postgres-event-store.ts'
import { type Config, parseConfig } from '../src/platform/config/config.ts'
import { createLogger } from '../src/platform/logging/logger.ts'
import { createPool } from '../src/platform/postgres/postgres.module.ts'
import { Projector } from '../src/platform/projections/projector.ts'

export const logger = createLogger('warn', 'bench')

/** As a deployment has it that sets no more than it must. */
export function productConfig(databaseUrl: string, environment: Record<string, string> = {}): Config {
  return parseConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a secret for the benchmark, longer than thirty-two characters',
    TRANSCRIPTION_BASE_URL: 'http://127.0.0.1:9/v1',
    PODCAST_DIRECTORIES: 'itunes',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    ...environment,
  })
}

const standstillMs = 10_000

export type Ours = ReturnType<typeof openOurs>

/** The ledger as the product's worker has it, on a database that is brought up to date. */
export function openOurs(databaseUrl: string) {
  const config = productConfig(databaseUrl)
  const pool = createPool(config, logger)
  const store = new PostgresEventStore(pool, config, logger)
  const newLedger = () => new Ledger(store, config)
  const ledger = newLedger()

  const startProjector = () => {
    const projector = new Projector(transactionsProjection, { events: store, pool, logger })
    projector.start()
    return () => projector.stop()
  }

  /** Events that the projection has not met yet. */
  const lag = async (): Promise<number> => {
    const { rows } = await pool.query<{ lag: number }>(
      `select (select position from event_store_position)
            - coalesce((select min(position) from projection_checkpoints), 0) as lag`,
    )
    return rows[0]?.lag ?? 0
  }

  return {
    ledger,
    newLedger,
    store,
    pool,
    lag,
    startProjector,
    /** Waits for the projector, so that it takes nothing from the turn of another. @throws where it stands still. */
    async drain() {
      let least = Infinity
      let movedAt = performance.now()
      for (let behind = await lag(); behind > 0; behind = await lag()) {
        if (behind < least) movedAt = performance.now()
        least = Math.min(least, behind)
        if (performance.now() - movedAt > standstillMs)
          throw new Error(`The projector stands still, ${behind} events behind`)
        await sleep(20)
      }
    },
    async close() {
      await ledger.onApplicationShutdown()
      await store.onApplicationShutdown()
      await pool.end()
    },
  }
}

export const priceMicrocredits = 1000
/** Enough for every charge of a run. */
export const grantMicrocredits = 1_000_000_000_000

export async function openAccounts({ ledger }: Pick<Ours, 'ledger'>, users: readonly string[]) {
  await Promise.all(
    users.map((user) => expectAccepted(ledger.execute(user, grant(randomUUID(), grantMicrocredits)))),
  )
}

export function newUsers(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID())
}

export function anyOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T
}

export function grant(operationId: string, amount: number): CreditCommand {
  const note = { description: 'Credits for the benchmark' }
  return {
    type: 'grant',
    operationType: 'grant',
    operationId,
    amountMicrocredits: microcredits(amount),
    note,
  }
}

/** What a charge for a transcription says. */
export function charge(operationId: string, amount = priceMicrocredits): CreditCommand {
  return {
    type: 'deduct',
    operationType: 'transcription',
    operationId,
    amountMicrocredits: microcredits(amount),
    note: {
      description: 'Transcription of "An episode whose title is as long as titles are"',
      episodeTitle: 'An episode whose title is as long as titles are',
      transcriptId: operationId,
      estimatedDurationSeconds: 3600,
    },
  }
}

export async function expectAccepted(answer: ReturnType<Ledger['execute']>): Promise<Receipt> {
  const settled = await answer
  if (!settled.accepted) throw new Error(`Refused, and should not have been: ${settled.refusal.code}`)
  return settled.receipt
}

const remembered = 4096

/** Of 100 charges 90 are new ones, 5 repeat one that was made before, 5 ask for more than there is. Each answer is checked. */
export function chargeMix(users: readonly string[]) {
  const made: { user: string; receipt: Receipt }[] = []
  let counted = 0

  return async (ledger: Ledger): Promise<void> => {
    const dice = Math.random()
    const earlier = dice < 0.05 && made.length > 0 ? made[Math.floor(Math.random() * made.length)] : undefined
    if (earlier) {
      const { user, receipt } = earlier
      const repeated = await expectAccepted(ledger.execute(user, charge(receipt.operationId)))
      if (repeated.balanceAfterMicrocredits !== receipt.balanceAfterMicrocredits)
        throw new Error('A repeated charge was answered differently')
      return
    }
    const user = anyOf(users)
    if (dice >= 0.95) {
      const answer = await ledger.execute(user, charge(randomUUID(), 2 * grantMicrocredits))
      if (answer.accepted || answer.refusal.code !== 'insufficient_credits')
        throw new Error('A charge beyond the balance was not refused')
      return
    }
    const receipt = await expectAccepted(ledger.execute(user, charge(randomUUID())))
    made[counted++ % remembered] = { user, receipt }
  }
}
