import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { LOGGER } from '../../platform/logging/logging.module.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { type Repetition, repeatedly } from '../../platform/repeatedly.ts'
import { type ConfirmableRow, PaymentConfirmation } from '../payment-confirmation.ts'

const everyMs = 20_000
const pageSize = 50
const receiptsForDays = 3

/**
 * Looks at the checkouts that nobody has spoken of: a webhook that never came leaves no paid one uncredited for longer
 * than ten minutes. Seldomer the older a checkout is, never seldomer than every five minutes. The same for receipts
 * that could not be sent.
 */
@Injectable()
export class ReconcilePayments implements OnApplicationBootstrap, OnApplicationShutdown {
  #repetition: Repetition | undefined

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly confirmation: PaymentConfirmation,
  ) {}

  onApplicationBootstrap() {
    if (!this.config.stripe) return
    this.#repetition = repeatedly(
      everyMs,
      (stopping) => this.reconcile(new Date(), stopping),
      (error) =>
        this.logger.warn({ error: String(error) }, 'payments not reconciled; the next round tries again'),
    )
  }

  async onApplicationShutdown() {
    await this.#repetition?.stop()
  }

  /** Has everything looked at whose time has come at `now`. */
  async reconcile(now: Date, stopping?: AbortSignal): Promise<void> {
    while (!stopping?.aborted) {
      const rows = await this.#take(now)
      const asked = await Promise.allSettled(rows.map((row) => this.confirmation.ask(row)))
      const failed = asked.filter((one) => one.status === 'rejected')
      // Those that were taken come again in a minute or more; the rest is not taken while nobody answers.
      if (failed[0]) throw failed[0].reason
      if (rows.length < pageSize) return
    }
  }

  /** Each is taken by one process, and comes again later should this one die. */
  async #take(now: Date): Promise<ConfirmableRow[]> {
    const mailsReceipts = this.config.mail.smtpUrl !== undefined
    const rows = await this.database
      .updateTable('payments')
      .set({
        next_look_at: sql<Date>`${now}::timestamptz + least(interval '5 minutes',
          greatest(interval '1 minute', (${now}::timestamptz - created_at) / 2))`,
      })
      .where('id', 'in', (select) =>
        select
          .selectFrom('payments')
          .select('id')
          .where('session_id', 'is not', null)
          .where('next_look_at', '<=', now)
          .where((where) =>
            where.or([
              where('status', '=', 'open'),
              where.and([
                where('status', '=', 'credited'),
                where('receipt_sent_at', 'is', null),
                where('customer_email', 'is not', null),
                where(
                  'credited_at',
                  '>',
                  sql<Date>`${now}::timestamptz - make_interval(days => ${receiptsForDays}::int)`,
                ),
                where.lit(mailsReceipts),
              ]),
            ]),
          )
          .orderBy('next_look_at')
          .limit(pageSize)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['session_id', 'user_id', 'request_id'])
      .execute()
    return rows.flatMap(({ session_id, ...row }) => (session_id === null ? [] : [{ ...row, session_id }]))
  }
}
