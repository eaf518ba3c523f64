import { Inject, Injectable } from '@nestjs/common'
import type { Answered, LanguageActivities, SummaryActivities } from '@earmark/workflows/activities'
import { CONFIG, type Config } from '../../platform/config/config.ts'
import { VendorFailed } from '../../platform/outgoing/vendor-failed.ts'
import { beating, explained } from '../../platform/temporal/activity.ts'
import { LanguageModel } from './language-model.ts'
import { notesOfPart, notesSchema, summaryOfNotes, summaryOfTranscript } from './questions.ts'
import { quoteFinder, withRealQuotes } from './quotes.ts'
import { SummaryCharges } from './summary-charges.ts'
import { SummaryRecords } from './summary-records.ts'
import { linesOf, partOf, wordCountOf } from './transcript-parts.ts'

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
      const words = wordCountOf(linesOf(await this.records.transcript(transcriptId)))
      return { parts: Math.max(1, Math.ceil(words / (this.config.summaries?.partWords ?? Infinity))) }
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
        if (await this.records.hasNotes(job, part)) return { usable: true }
        const { type } = await this.records.summary(job.summaryId)
        const transcript = await this.records.transcript(job.transcriptId)
        const lines = partOf(linesOf(transcript), part, parts)
        const answer = await this.model.ask(notesOfPart(type, lines, part, parts), complaint, signal)
        if (!answer.usable) return answer
        const notes = notesSchema.parse(answer.value)
        await this.records.keepNotes(job, part, withRealQuotes(notes, quoteFinder(transcript.text)))
        return { usable: true }
      }, toActivityFailure),

    writeSummary: ({ summaryId, transcriptId, from, complaint }) =>
      beating(async (signal): Promise<Answered> => {
        const { type, draft } = await this.records.summary(summaryId)
        if (draft) return { usable: true }
        const question =
          from === 'notes'
            ? summaryOfNotes(type, await this.records.notes(summaryId))
            : summaryOfTranscript(type, linesOf(await this.records.transcript(transcriptId)))
        const answer = await this.model.ask(question, complaint, signal)
        if (!answer.usable) return answer
        await this.records.keepDraft(summaryId, answer.value)
        return { usable: true }
      }, toActivityFailure),
  }
}

function toActivityFailure(error: unknown): unknown {
  if (!(error instanceof VendorFailed)) return error
  const { message, temporary, retryAfterSeconds } = error
  return explained(message, { final: !temporary, retryAfterSeconds, cause: error.cause })
}
