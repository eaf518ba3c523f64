import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { PaymentConfirmation } from '../payment-confirmation.ts'
import type { PaymentRow } from '../payment-row.ts'

const everyMs = 20_000
const pageSize = 100

/**
 * Looks at the checkouts that nobody has spoken of: a webhook that never came leaves no paid one uncredited for longer
 * than ten minutes. Seldomer the older a checkout is, never seldomer than every five minutes.
 */
@Injectable()
export class ReconcilePayments implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly confirmation: PaymentConfirmation,
  ) {}

  onApplicationBootstrap() {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() =>
        this.reconcile(new Date()).catch((error: unknown) => {
          this.logger.warn({ error: String(error) }, 'payments not reconciled; the next round tries again')
        }),
      )
    }, everyMs)
  }

  async onApplicationShutdown() {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Has every open checkout looked at whose time has come at `now`. */
  async reconcile(now: Date): Promise<void> {
    for (;;) {
      const rows = await this.#take(now)
      await Promise.all(
        rows.map((row) =>
          this.confirmation.ask(row).catch((error: unknown) => {
            this.logger.warn({ sessionId: row.session_id, error: String(error) }, 'checkout not looked at')
          }),
        ),
      )
      if (rows.length < pageSize) return
    }
  }

  /** Each is taken by one process, and comes again later should this one die. */
  async #take(now: Date): Promise<Pick<PaymentRow, 'session_id' | 'user_id' | 'request_id'>[]> {
    return this.database
      .updateTable('payments')
      .set({
        next_look_at: sql<Date>`${now}::timestamptz + least(interval '5 minutes',
          greatest(interval '1 minute', (${now}::timestamptz - created_at) / 2))`,
      })
      .where('session_id', 'in', (select) =>
        select
          .selectFrom('payments')
          .select('session_id')
          .where('status', '=', 'open')
          .where('next_look_at', '<=', now)
          .orderBy('next_look_at')
          .limit(pageSize)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['session_id', 'user_id', 'request_id'])
      .execute()
  }
}
