import { Inject, Injectable } from '@nestjs/common'
import { summaryNames } from '@earmark/contracts/summary-names'
import { type ChargedAnswer, type SummariseInput, summariseWorkflow } from '@earmark/contracts/workflows'
import { startAndCharge } from '../../jobs/start-and-charge.ts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { TemporalConnection } from '../../platform/temporal/temporal-connection.ts'
import type { SummaryRow } from '../summary-view.ts'

export type StartableSummary = Pick<
  SummaryRow,
  'id' | 'transcript_id' | 'user_id' | 'summary_type' | 'request_id'
> & { episode_id: string; episode_title: string | null }

/** For one that waits although summaries are no longer offered: it fails, and its credits go back. */
const answerSecondsUnset = 60

@Injectable()
export class StartSummary {
  constructor(
    private readonly temporal: TemporalConnection,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Starts the workflow of a summary, or joins the one that runs, and waits for its charge.
   * @throws where the workflow service cannot be reached or nobody answers in time: then it may or may not have started.
   */
  start(row: StartableSummary): Promise<ChargedAnswer> {
    return startAndCharge(this.temporal, summariseWorkflow, {
      id: row.id,
      input: this.#input(row),
      title: [summaryNames[row.summary_type], row.episode_title].filter(Boolean).join(': '),
    })
  }

  #input(row: StartableSummary): SummariseInput {
    const { summaries, vendorRetry } = this.config
    return {
      summaryId: row.id,
      transcriptId: row.transcript_id,
      userId: row.user_id,
      episodeId: row.episode_id,
      requestId: row.request_id,
      bounds: {
        vendorAttempts: vendorRetry.attempts,
        vendorRetrySeconds: vendorRetry.intervalSeconds,
        answerSeconds: summaries?.timeoutSeconds ?? answerSecondsUnset,
      },
    }
  }
}
