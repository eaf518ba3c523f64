import { Inject, Injectable } from '@nestjs/common'
import type {
  Answered,
  LanguageActivities,
  SummaryActivities,
  SummaryJob,
} from '@earmark/workflows/activities'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { VendorFailed } from '../../platform/outgoing/vendor-failed.ts'
import { beating, explained } from '../../platform/temporal/activity.ts'
import { waitingOutOutages } from '../../platform/unreachable.ts'
import { LanguageModel } from './language-model.ts'
import {
  type ModelQuestion,
  notesOfPart,
  notesSchema,
  summaryOfNotes,
  summaryOfTranscript,
} from './questions.ts'
import { quoteFinder, withRealQuotes } from './quotes.ts'
import { SummaryCharges } from './summary-charges.ts'
import { SummaryRecords } from './summary-records.ts'
import { linesOf, partOf, partsFor, pointsPerPart } from './transcript-parts.ts'

/** What the summary's workflow has done for it. */
@Injectable()
export class SummariseActivities {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly charges: SummaryCharges,
    private readonly records: SummaryRecords,
    private readonly model: LanguageModel,
  ) {}

  readonly main: SummaryActivities = {
    chargeSummary: (job) => this.charges.charge(job),
    failSummary: (input) => this.charges.giveBackAndFail(input),
    reportSummaryProgress: ({ summaryId, progress }) => this.records.show(summaryId, progress),

    planSummary: async ({ transcriptId }) => {
      const lines = linesOf(await this.records.transcript(transcriptId))
      return { parts: partsFor(lines, this.#partWords) }
    },

    saveSummary: async ({ summaryId, transcriptId }) => {
      const { draft } = await this.records.summary(summaryId)
      if (!draft) throw explained('This summary had ended already.', { final: true })
      const { text } = await this.records.transcript(transcriptId)
      await this.records.complete(summaryId, withRealQuotes(draft, quoteFinder(text)))
    },
  }

  readonly language: LanguageActivities = {
    noteTranscriptPart: ({ part, parts, complaint, ...job }) =>
      beating(async (signal): Promise<Answered> => {
        const read = await waitingOutOutages(signal, () => this.#unnoted(job, part))
        if (!read) return { usable: true }
        const { type, transcript } = read
        const points = pointsPerPart(parts, this.#partWords)
        const lines = partOf(linesOf(transcript), part, parts)
        const answer = await this.model.ask(
          notesOfPart(type, lines, { part, parts, points }),
          complaint,
          signal,
        )
        if (!answer.usable) return answer
        const notes = withRealQuotes(notesSchema.parse(answer.value), quoteFinder(transcript.text))
        await waitingOutOutages(signal, () => this.records.keepNotes(job, part, notes))
        return { usable: true }
      }, toActivityFailure),

    writeSummary: ({ complaint, from, ...job }) =>
      beating(async (signal): Promise<Answered> => {
        const question = await waitingOutOutages(signal, () => this.#unwritten(job, from))
        if (!question) return { usable: true }
        const answer = await this.model.ask(question, complaint, signal)
        if (!answer.usable) return answer
        await waitingOutOutages(signal, () => this.records.keepDraft(job.summaryId, answer.value))
        return { usable: true }
      }, toActivityFailure),
  }

  /** What the notes of a part are made from; undefined where they are there. */
  async #unnoted(job: SummaryJob, part: number) {
    if (await this.records.hasNotes(job, part)) return undefined
    const { type } = await this.records.summary(job.summaryId)
    return { type, transcript: await this.records.transcript(job.transcriptId) }
  }

  /** The question whose answer is the summary; undefined where it is there. */
  async #unwritten(
    { summaryId, transcriptId }: SummaryJob,
    from: 'transcript' | 'notes',
  ): Promise<ModelQuestion | undefined> {
    const { type, draft } = await this.records.summary(summaryId)
    if (draft) return undefined
    return from === 'notes'
      ? summaryOfNotes(type, await this.records.notes(summaryId))
      : summaryOfTranscript(type, linesOf(await this.records.transcript(transcriptId)))
  }

  get #partWords(): number {
    return this.config.summaries?.partWords ?? Infinity
  }
}

function toActivityFailure(error: unknown): unknown {
  if (!(error instanceof VendorFailed)) return error
  const { message, temporary, retryAfterSeconds } = error
  return explained(message, { final: !temporary, retryAfterSeconds, cause: error.cause })
}
