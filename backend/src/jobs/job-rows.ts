import type { Database } from '../platform/postgres/postgres.module.ts'

/**
 * The marks on the row of a job that is paid for. Three may want to end it: the request that made it, as long as nothing
 * is charged; the workflow, whose charge begins with the mark `claimed_at`; and its failure, whose refund begins with
 * `given_up_at`. Whoever sets its mark first wins.
 */
export class JobRows {
  constructor(
    private readonly database: Database,
    private readonly table: 'transcripts' | 'summaries',
  ) {}

  /**
   * Sets the mark after which the request can no longer withdraw the job. `refused`: its charge was, in an earlier run
   * that ended before it had said so.
   */
  async claim(id: string): Promise<'claimed' | 'given_up' | 'refused' | 'ended'> {
    const row = await this.database
      .updateTable(this.table)
      .set((columns) => ({ claimed_at: columns.fn.coalesce('claimed_at', columns.val(new Date())) }))
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'processing'])
      .returning('given_up_at')
      .executeTakeFirst()
    if (row) return row.given_up_at === null ? 'claimed' : 'given_up'
    const ended = await this.database
      .selectFrom(this.table)
      .select(['status', 'claimed_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    // One that was withdrawn shows as refused too, but nobody has claimed it.
    return ended?.status === 'refused' && ended.claimed_at !== null ? 'refused' : 'ended'
  }

  /** Sets the mark after which the job can no longer be completed, unless it has ended. */
  async giveUp(id: string): Promise<void> {
    await this.database
      .updateTable(this.table)
      .set((columns) => ({ given_up_at: columns.fn.coalesce('given_up_at', columns.val(new Date())) }))
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'processing'])
      .execute()
  }

  /** Ends a job whose charge was refused, with the words of the refusal. */
  async refuse(id: string, message: string): Promise<void> {
    await this.database
      .updateTable(this.table)
      .set({ status: 'refused', message, finished_at: new Date() })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute()
  }

  /** Ends a job that could not be started, unless its workflow has claimed it. @returns whether it did. */
  async withdraw(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable(this.table)
      .set({
        status: 'refused',
        message: 'It could not be started. Nothing was charged.',
        finished_at: new Date(),
      })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('claimed_at', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Shows the user what a running job does. Reports may overtake each other; a bar never goes back. */
  async show(id: string, { message, percent }: { message: string; percent: number }): Promise<void> {
    await this.database
      .updateTable(this.table)
      .set({ status: 'processing', message, progress_percent: percent })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'processing'])
      .where((where) =>
        where.or([where('progress_percent', 'is', null), where('progress_percent', '<=', percent)]),
      )
      .execute()
  }
}
