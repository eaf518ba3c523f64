import { Inject, Injectable } from '@nestjs/common'
import { type ChargedAnswer, type TranscribeInput, transcribeWorkflow } from '@earmark/contracts/workflows'
import { startAndCharge } from '../../jobs/start-and-charge.ts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { TemporalConnection } from '../../platform/temporal/temporal-connection.ts'
import type { TranscriptRow } from '../transcript-view.ts'

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
  start(row: StartableRow): Promise<ChargedAnswer> {
    return startAndCharge(this.temporal, transcribeWorkflow, {
      id: row.id,
      input: this.#input(row),
      title: [row.podcast_title, row.episode_title].filter(Boolean).join(': '),
    })
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
