import { Inject, Injectable } from '@nestjs/common'
import * as z from 'zod'
import type { Job, RecognitionActivities, TranscriptActivities } from '@earmark/workflows/activities'
import { AudioStore } from '../../platform/audio-store/audio-store.ts'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { beating, explained } from '../../platform/temporal/activity.ts'
import { measureAudio, planChunks, splitAudio } from './audio-file.ts'
import { toActivityFailure } from './activity-failure.ts'
import { heardChunkSchema } from './heard-chunk.ts'
import { mergeChunks } from './merge-chunks.ts'
import { Recogniser } from './recogniser.ts'
import { TranscriptCharges } from './transcript-charges.ts'
import { TranscriptProgress } from './transcript-progress.ts'

const source = 'source'

const planSchema = z.array(z.object({ startSeconds: z.number(), endSeconds: z.number(), file: z.string() }))

/** What the transcription workflow has done for it. */
@Injectable()
export class TranscribeActivities {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly charges: TranscriptCharges,
    private readonly progress: TranscriptProgress,
    private readonly outgoing: GuardedFetch,
    private readonly audio: AudioStore,
    private readonly recogniser: Recogniser,
  ) {}

  readonly main: TranscriptActivities = {
    chargeTranscription: (input) => this.charges.charge(input),
    settleTranscription: (input) => this.charges.settle(input),
    failTranscription: (input) => this.charges.giveBackAndFail(input),
    reportProgress: ({ transcriptId, progress }) => this.progress.show(transcriptId, progress),
    discardAudio: ({ transcriptId }) => this.audio.discard(transcriptId),

    fetchAudio: ({ transcriptId, audioUrl }) =>
      beating(async (signal) => {
        const { audioMaxBytes, audioTimeoutSeconds } = this.config.outgoing
        const response = await this.outgoing.get(audioUrl, {
          maxBytes: audioMaxBytes,
          timeoutMs: audioTimeoutSeconds * 1000,
          signal,
        })
        await this.audio.writeStream(transcriptId, source, response.body)
        return { durationSeconds: await measureAudio(this.audio.fileOf(transcriptId, source)) }
      }, toActivityFailure),

    splitAudio: ({ transcriptId, chunkSeconds }) =>
      beating(async (signal) => {
        const files: string[] = []
        const chunks = await splitAudio(
          this.audio.fileOf(transcriptId, source),
          (durationSeconds, bytes) => planChunks(durationSeconds, chunkSeconds, bytes),
          async (index, extension, fill) => {
            const name = `chunk-${index}${extension}`
            files[index] = name
            await this.audio.writeFileWith(transcriptId, name, fill)
          },
          signal,
        )
        const plan = chunks.map((chunk, index) => ({ ...chunk, file: files[index] }))
        await this.audio.writeJson(transcriptId, 'plan.json', plan)
        return { chunks: chunks.length }
      }, toActivityFailure),

    saveTranscript: ({ transcriptId, chunks }) =>
      beating(async () => {
        const heard = await Promise.all(
          Array.from({ length: chunks }, async (_, index) =>
            heardChunkSchema.parse(await this.audio.readJson(transcriptId, heardName(index))),
          ),
        )
        const merged = mergeChunks(heard)
        if (merged.wordCount === 0)
          throw explained('No speech could be heard in this audio.', { final: true })
        await this.progress.complete(transcriptId, merged)
        return { wordCount: merged.wordCount }
      }, toActivityFailure),
  }

  readonly recognition: RecognitionActivities = {
    recogniseChunk: ({ transcriptId, index }: Job & { index: number }) =>
      beating(async (signal) => {
        const plan = planSchema.parse(await this.audio.readJson(transcriptId, 'plan.json'))
        const chunk = plan[index]
        if (!chunk) throw new Error(`There is no chunk ${index} of ${transcriptId}`)
        const heard = await this.recogniser.recognise(
          this.audio.fileOf(transcriptId, chunk.file),
          chunk,
          signal,
        )
        await this.audio.writeJson(transcriptId, heardName(index), heard)
      }, toActivityFailure),
  }
}

function heardName(index: number): string {
  return `heard-${index}.json`
}
