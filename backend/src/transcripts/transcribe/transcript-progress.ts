import { Inject, Injectable } from '@nestjs/common'
import type { Segment } from '@earmark/contracts/transcripts'
import type { TranscribeProgress } from '@earmark/contracts/workflows'
import { JobRows } from '../../jobs/job-rows.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { explained } from '../../platform/temporal/activity.ts'

/** What the user sees of a running job: its row. */
@Injectable()
export class TranscriptProgress {
  readonly #jobs: JobRows

  constructor(@Inject(DATABASE) private readonly database: Database) {
    this.#jobs = new JobRows(database, 'transcripts')
  }

  show(transcriptId: string, progress: TranscribeProgress): Promise<void> {
    return this.#jobs.show(transcriptId, inWords(progress))
  }

  /** Saves the text. Doing it again is no harm; a job that failed meanwhile stays failed. */
  async complete(
    transcriptId: string,
    result: { segments: Segment[]; text: string; wordCount: number },
  ): Promise<void> {
    const { numUpdatedRows } = await this.database
      .updateTable('transcripts')
      .set({
        status: 'completed',
        message: null,
        progress_percent: 100,
        text: result.text,
        segments: JSON.stringify(result.segments),
        word_count: result.wordCount,
        finished_at: new Date(),
      })
      .where('id', '=', transcriptId)
      .where('status', 'in', ['pending', 'processing', 'completed'])
      .where('given_up_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw explained('This transcription had ended already.', { final: true })
  }
}

function inWords({ stage, chunks, chunksDone }: TranscribeProgress): { message: string; percent: number } {
  switch (stage) {
    case 'charging':
      return { message: 'Starting...', percent: 1 }
    case 'downloading':
      return { message: 'Downloading the audio...', percent: 3 }
    case 'splitting':
      return { message: 'Preparing the audio...', percent: 10 }
    case 'transcribing':
      return {
        message:
          chunks === 1
            ? 'Transcribing...'
            : `Transcribing ${Math.min(chunksDone + 1, chunks)} of ${chunks}...`,
        percent: 12 + Math.floor((83 * chunksDone) / Math.max(1, chunks)),
      }
    case 'saving':
    case 'ended':
      return { message: 'Saving the transcript...', percent: 97 }
  }
}
