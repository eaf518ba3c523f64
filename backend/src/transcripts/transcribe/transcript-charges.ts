import { Inject, Injectable } from '@nestjs/common'
import { CommandBus } from '@nestjs/cqrs'
import { chargedMinutes, transcriptionPriceMicrocredits } from '@earmark/contracts/pricing'
import type { ChargedAnswer } from '@earmark/contracts/workflows'
import type { Job, TranscriptActivities } from '@earmark/workflows/activities'
import { microcredits, toCredits, type Microcredits } from '../../credits/domain/amounts.ts'
import type { Refusal } from '../../credits/domain/decide.ts'
import type { EventNote } from '../../credits/domain/events.ts'
import { DeductCredits } from '../../credits/deduct-credits/deduct-credits.handler.ts'
import { RefundCredits } from '../../credits/refund-credits/refund-credits.handler.ts'
import { Ledger, type LedgerAnswer } from '../../credits/ledger.ts'
import { giveBackRest, unexpectedRefusal } from '../../jobs/give-back.ts'
import { insufficientWords } from '../../jobs/insufficient-credits.ts'
import { JobRows } from '../../jobs/job-rows.ts'
import { DATABASE, type Database } from '../../platform/postgres/postgres.module.ts'
import { explained } from '../../platform/temporal/activity.ts'

type ChargeInput = Parameters<TranscriptActivities['chargeTranscription']>[0]
type SettleInput = Parameters<TranscriptActivities['settleTranscription']>[0]
type FailInput = Parameters<TranscriptActivities['failTranscription']>[0]
type FailAnswer = Awaited<ReturnType<TranscriptActivities['failTranscription']>>

/**
 * The money of a transcription. Operation ids come from the transcript's id, so that each step counts once however
 * often it runs: `<id>` the charge, `<id>:settle` its correction, `...:give-back` what returns when the job fails.
 */
@Injectable()
export class TranscriptCharges {
  readonly #jobs: JobRows

  constructor(
    private readonly commands: CommandBus,
    private readonly ledger: Ledger,
    @Inject(DATABASE) private readonly database: Database,
  ) {
    this.#jobs = new JobRows(database, 'transcripts')
  }

  async charge(input: ChargeInput): Promise<ChargedAnswer> {
    const claim = await this.#jobs.claim(input.transcriptId)
    if (claim === 'ended') return { outcome: 'withdrawn' }
    // Its credits have begun to go back in an earlier run, which ended before it had said so.
    if (claim === 'given_up') throw explained('This transcription was given up.', { final: true })
    if (input.claimedDurationSeconds === null) return { outcome: 'charged_later' }

    const amount = priceOf(input.claimedDurationSeconds)
    if (claim === 'refused') {
      const availableMicrocredits = await this.ledger.balance(input.userId)
      return { outcome: 'insufficient_credits', requiredMicrocredits: amount, availableMicrocredits }
    }
    const answer = await this.#deduct(input, input.transcriptId, amount, input.claimedDurationSeconds)
    if (answer.accepted) {
      await this.#showCharge(input.transcriptId, amount)
      return { outcome: 'charged', amountMicrocredits: amount }
    }
    if (answer.refusal.code !== 'insufficient_credits') throw unexpectedRefusal(answer.refusal)
    const { requiredMicrocredits, availableMicrocredits } = answer.refusal
    await this.#jobs.refuse(input.transcriptId, insufficientWords(answer.refusal))
    return { outcome: 'insufficient_credits', requiredMicrocredits, availableMicrocredits }
  }

  async settle(input: SettleInput): Promise<{ chargedMicrocredits: number }> {
    const { transcriptId, claimedDurationSeconds, durationSeconds } = input
    const price = priceOf(durationSeconds)
    const charged = claimedDurationSeconds === null ? microcredits(0) : priceOf(claimedDurationSeconds)
    const difference = microcredits(price - charged)

    if (difference > 0) {
      const operationId = charged === 0 ? transcriptId : settlementOf(transcriptId)
      const answer = await this.#deduct(input, operationId, difference, durationSeconds)
      if (!answer.accepted) throw notCovered(answer.refusal, durationSeconds, price, charged)
    } else if (difference < 0) {
      const answer = await this.commands.execute(
        new RefundCredits(input.userId, {
          type: 'refund',
          operationId: settlementOf(transcriptId),
          deductionId: transcriptId,
          amountMicrocredits: microcredits(charged - price),
          note: noteOf(
            input,
            `The audio is shorter than its feed says: ${minutes(durationSeconds)}`,
            durationSeconds,
          ),
        }),
      )
      if (!answer.accepted) throw unexpectedRefusal(answer.refusal)
    }
    await this.#showCharge(transcriptId, price, durationSeconds)
    return { chargedMicrocredits: price }
  }

  /** The job is given up first: from then on no save can complete it. It shows as failed once the credits are back. */
  async giveBackAndFail(input: FailInput): Promise<FailAnswer> {
    const { transcriptId } = input
    const row = await this.#giveUp(transcriptId)
    if (row.status === 'completed') {
      return {
        outcome: 'completed',
        wordCount: row.word_count ?? 0,
        durationSeconds: row.duration_seconds ?? 0,
        chargedMicrocredits: row.charged_microcredits ?? 0,
      }
    }
    let returned = 0
    const note = noteOf({ episodeTitle: row.episode_title, transcriptId }, input.message)
    for (const deductionId of [settlementOf(transcriptId), transcriptId])
      returned += await giveBackRest(this.commands, input.userId, deductionId, note)

    const message = `${input.message} ${returned > 0 ? 'Your credits are back.' : 'Nothing was charged.'}`
    await this.database
      .updateTable('transcripts')
      .set({
        status: 'failed',
        message,
        charged_microcredits: 0,
        progress_percent: null,
        finished_at: new Date(),
      })
      .where('id', '=', transcriptId)
      .where('status', 'in', ['pending', 'processing'])
      .execute()
    return { outcome: 'failed', message }
  }

  #deduct(
    input: Job & { episodeTitle: string | null },
    operationId: string,
    amountMicrocredits: Microcredits,
    durationSeconds: number,
  ): Promise<LedgerAnswer> {
    const description = `Transcription, ${minutes(durationSeconds)}`
    return this.commands.execute(
      new DeductCredits(input.userId, {
        operationId,
        operationType: 'transcription',
        amountMicrocredits,
        note: noteOf(input, description, durationSeconds),
      }),
    )
  }

  async #giveUp(transcriptId: string) {
    await this.#jobs.giveUp(transcriptId)
    return this.database
      .selectFrom('transcripts')
      .select(['status', 'word_count', 'duration_seconds', 'charged_microcredits', 'episode_title'])
      .where('id', '=', transcriptId)
      .executeTakeFirstOrThrow()
  }

  async #showCharge(transcriptId: string, charged: Microcredits, durationSeconds?: number): Promise<void> {
    await this.database
      .updateTable('transcripts')
      .set({
        charged_microcredits: charged,
        ...(durationSeconds !== undefined && { duration_seconds: wholeSeconds(durationSeconds) }),
      })
      .where('id', '=', transcriptId)
      .where('status', 'in', ['pending', 'processing'])
      .execute()
  }
}

function settlementOf(transcriptId: string): string {
  return `${transcriptId}:settle`
}

function priceOf(durationSeconds: number): Microcredits {
  return microcredits(transcriptionPriceMicrocredits(durationSeconds))
}

/** Rounded up, as the minutes are that are charged: what is shown and started again by it has their price. */
function wholeSeconds(durationSeconds: number): number {
  return Math.ceil(durationSeconds)
}

function minutes(durationSeconds: number): string {
  return `${chargedMinutes(durationSeconds)} min`
}

function noteOf(
  job: { episodeTitle: string | null; transcriptId: string },
  description: string,
  durationSeconds?: number,
): EventNote {
  return {
    description,
    transcriptId: job.transcriptId,
    ...(job.episodeTitle !== null && { episodeTitle: job.episodeTitle }),
    ...(durationSeconds !== undefined && { estimatedDurationSeconds: wholeSeconds(durationSeconds) }),
  }
}

function notCovered(
  refusal: Refusal,
  durationSeconds: number,
  price: Microcredits,
  charged: Microcredits,
): unknown {
  if (refusal.code !== 'insufficient_credits') return unexpectedRefusal(refusal)
  const available = toCredits(microcredits(refusal.availableMicrocredits + charged))
  return explained(
    `The audio is ${minutes(durationSeconds)} long, more than its feed says. ` +
      `Insufficient credits: required ${toCredits(price)}, available ${available}.`,
    { final: true },
  )
}
