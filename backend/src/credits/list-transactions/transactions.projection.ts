import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import type { Logger } from 'pino'
import { EventStore, type PositionedEvent } from '../../platform/event-store/event-store.ts'
import { problem } from '../../platform/http/problem.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { POOL, type Pool } from '../../platform/postgres/postgres.module.ts'
import { readCreditEvent } from '../credit-event.schema.ts'
import { accountStream, positionAfter } from '../ledger.ts'
import { toTransaction, type TransactionRow } from './transaction-row.ts'

const transactionsProjection = 'credit_transactions'

const batchSize = 500
const idleMs = 1000
const afterFailureMs = 2000
const catchUpMs = 3000

/**
 * Turns events into the rows of the credit history. Rows and checkpoint are written in one transaction, so a crash
 * at any moment neither skips nor doubles a line. Any number of processes may run it: the checkpoint's lock lets one work.
 */
@Injectable()
export class TransactionsProjection implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(
    private readonly events: EventStore,
    @Inject(POOL) private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap() {
    this.#running = this.#run()
  }

  async onApplicationShutdown() {
    this.#stopping.abort()
    await this.#running
  }

  /**
   * Whether the rows of `userId` have reached the account's stream head, waiting up to `timeoutMs` for it.
   * The head is read once: what is written after the question need not be in the answer.
   */
  async hasCaughtUp(userId: string, timeoutMs: number): Promise<boolean> {
    const head = await this.events.readHead(accountStream(userId))
    if (!head) return true
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const { rows } = await this.pool.query<{ revision: number }>(
        'select revision from credit_accounts where account_id = $1',
        [userId],
      )
      if ((rows[0]?.revision ?? -1) >= head.revision) return true
      if (performance.now() >= deadline) return false
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** One batch; answers how many events it took, or `undefined` where another process is at work. */
  async projectBatch(): Promise<number | undefined> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      await client.query('insert into projection_checkpoints values ($1, 0) on conflict do nothing', [
        transactionsProjection,
      ])
      const { rows } = await client.query<{ position: number }>(
        'select position from projection_checkpoints where projection = $1 for update skip locked',
        [transactionsProjection],
      )
      const checkpoint = rows[0]
      if (!checkpoint) {
        await client.query('rollback')
        return undefined
      }
      const events = await this.events.readAll(checkpoint.position, batchSize)
      const last = events.at(-1)
      if (last) {
        const transactions = events.map(toTransactionOf).filter((row) => row !== undefined)
        await client.query(insertRows, [JSON.stringify(transactions)])
        await client.query(upsertAccounts, [JSON.stringify(toAccounts(events))])
        await client.query('update projection_checkpoints set position = $2 where projection = $1', [
          transactionsProjection,
          last.position,
        ])
      }
      await client.query('commit')
      return events.length
    } catch (error) {
      await client.query('rollback').catch((reason: unknown) => {
        broken = reason instanceof Error ? reason : new Error(String(reason))
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const taken = await this.projectBatch()
        if (taken === undefined || taken < batchSize) await this.events.waitForEvents(idleMs, signal)
      } catch (error) {
        this.logger.error(
          { error: String(error) },
          'the credit history cannot follow the events; trying again',
        )
        await this.events.waitForEvents(afterFailureMs, signal)
      }
    }
  }
}

/** Waits until the history of `userId` holds all that its account does. @throws ProblemError where it takes too long. */
export async function caughtUp(projection: TransactionsProjection, userId: string): Promise<void> {
  if (await projection.hasCaughtUp(userId, catchUpMs)) return
  throw problem(
    'temporarily_unavailable',
    'The credit history is being brought up to date. Please try again shortly.',
  )
}

const insertRows = `
  insert into credit_transactions (account_id, revision, event_id, operation_id, transaction_type, operation_type,
    amount_microcredits, balance_after_microcredits, description, metadata, created_at, refers_to)
  select account_id, revision, event_id, operation_id, transaction_type, operation_type, amount_microcredits,
         balance_after_microcredits, description, metadata, created_at, refers_to
  from jsonb_to_recordset($1) as row(
    account_id uuid, revision bigint, event_id uuid, operation_id text, transaction_type text, operation_type text,
    amount_microcredits bigint, balance_after_microcredits bigint, description text, metadata jsonb, created_at timestamptz,
    refers_to text
  )`

const upsertAccounts = `
  insert into credit_accounts (account_id, revision, balance_microcredits, owed_microcredits)
  select account_id, revision, balance_microcredits, owed_microcredits
  from jsonb_to_recordset($1) as row(
    account_id uuid, revision bigint, balance_microcredits bigint, owed_microcredits bigint
  )
  on conflict (account_id) do update set (revision, balance_microcredits, owed_microcredits) =
    (excluded.revision, excluded.balance_microcredits, excluded.owed_microcredits)`

/** Each account among the events, as its last one leaves it. */
function toAccounts(events: readonly PositionedEvent[]) {
  const prefix = accountStream('')
  const last = new Map(events.map((recorded) => [recorded.streamId, recorded]))
  return [...last.values()]
    .filter(({ streamId }) => streamId.startsWith(prefix))
    .map((recorded) => {
      const { balanceMicrocredits, owedMicrocredits } = positionAfter(recorded)
      return {
        account_id: recorded.streamId.slice(prefix.length),
        revision: recorded.revision,
        balance_microcredits: balanceMicrocredits,
        owed_microcredits: owedMicrocredits,
      }
    })
}

function toTransactionOf(recorded: PositionedEvent): TransactionRow | undefined {
  const prefix = accountStream('')
  if (!recorded.streamId.startsWith(prefix)) return undefined
  return toTransaction(recorded, recorded.streamId.slice(prefix.length), readCreditEvent(recorded))
}
