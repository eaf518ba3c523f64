import { Inject, Injectable } from '@nestjs/common'
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'
import { WithStartWorkflowOperation } from '@temporalio/client'
import {
  type ChargedAnswer,
  chargedUpdate,
  searchAttributes,
  taskQueues,
  type TranscribeInput,
  transcribeWorkflow,
} from '@earmark/contracts/workflows'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { TemporalConnection } from '../../platform/temporal/temporal-connection.ts'
import type { TranscriptRow } from '../transcript-view.ts'

const userIdKey = defineSearchAttributeKey(searchAttributes.userId, SearchAttributeType.KEYWORD)
const episodeIdKey = defineSearchAttributeKey(searchAttributes.episodeId, SearchAttributeType.KEYWORD)

/** How long the request waits for the deduction. Long enough for a busy worker, short enough for a person. */
const chargeWaitMs = 10_000

type StartableRow = Pick<
  TranscriptRow,
  | 'id'
  | 'user_id'
  | 'episode_id'
  | 'episode_title'
  | 'podcast_title'
  | 'audio_url'
  | 'claimed_duration_seconds'
  | 'request_id'
>

@Injectable()
export class StartTranscription {
  constructor(
    private readonly temporal: TemporalConnection,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Starts the workflow of a transcript, or joins the one that runs, and waits for its charge.
   * @throws where the workflow service cannot be reached or nobody answers in time: then it may or may not have started.
   */
  async start(row: StartableRow): Promise<ChargedAnswer> {
    const operation = new WithStartWorkflowOperation(transcribeWorkflow, {
      workflowId: row.id,
      taskQueue: taskQueues.main,
      args: [this.#input(row)],
      workflowIdConflictPolicy: 'USE_EXISTING',
      typedSearchAttributes: new TypedSearchAttributes([
        { key: userIdKey, value: row.user_id },
        { key: episodeIdKey, value: row.episode_id },
      ]),
      staticSummary: [row.podcast_title, row.episode_title].filter(Boolean).join(': ').slice(0, 200),
    })
    return this.temporal.withDeadline(chargeWaitMs, () =>
      this.temporal.client.workflow.executeUpdateWithStart<() => Promise<unknown>, ChargedAnswer, []>(
        chargedUpdate,
        {
          startWorkflowOperation: operation,
          updateId: `${row.id}:charged`,
        },
      ),
    )
  }

  #input(row: StartableRow): TranscribeInput {
    const { transcription, outgoing, vendorRetry } = this.config
    return {
      transcriptId: row.id,
      userId: row.user_id,
      episodeId: row.episode_id,
      episodeTitle: row.episode_title,
      audioUrl: row.audio_url,
      claimedDurationSeconds: row.claimed_duration_seconds,
      requestId: row.request_id,
      bounds: {
        vendorAttempts: vendorRetry.attempts,
        vendorRetrySeconds: vendorRetry.intervalSeconds,
        downloadSeconds: outgoing.audioTimeoutSeconds,
        recognitionSeconds: transcription.timeoutSeconds,
        chunkSeconds: transcription.chunkSeconds,
      },
    }
  }
}
