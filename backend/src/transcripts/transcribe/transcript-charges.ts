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
import type { LedgerAnswer } from '../../credits/ledger.ts'
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
  constructor(
    private readonly commands: CommandBus,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  async charge(input: ChargeInput): Promise<ChargedAnswer> {
    const claim = await this.#claim(input.transcriptId)
    if (claim === 'ended') return { outcome: 'withdrawn' }
    // Its credits have begun to go back in an earlier run, which ended before it had said so.
    if (claim === 'given_up') throw explained('This transcription was given up.', { final: true })
    if (input.claimedDurationSeconds === null) return { outcome: 'charged_later' }

    const amount = priceOf(input.claimedDurationSeconds)
    const answer = await this.#deduct(input, input.transcriptId, amount, input.claimedDurationSeconds)
    if (answer.accepted) {
      await this.#showCharge(input.transcriptId, amount)
      return { outcome: 'charged', amountMicrocredits: amount }
    }
    if (answer.refusal.code !== 'insufficient_credits') throw unexpected(answer.refusal)
    const { requiredMicrocredits, availableMicrocredits } = answer.refusal
    await this.#markRefused(input.transcriptId, answer.refusal)
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
      if (!answer.accepted) throw unexpected(answer.refusal)
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
    for (const deductionId of [settlementOf(transcriptId), transcriptId])
      returned += await this.#giveBackRest(input, deductionId, row.episode_title)

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

  async #giveBackRest(input: FailInput, deductionId: string, episodeTitle: string | null): Promise<number> {
    const answer = await this.commands.execute(
      new RefundCredits(input.userId, {
        type: 'refund_rest',
        operationId: `${deductionId}:give-back`,
        deductionId,
        note: noteOf({ episodeTitle, transcriptId: input.transcriptId }, input.message),
      }),
    )
    if (answer.accepted) return answer.receipt.amountMicrocredits
    if (answer.refusal.code === 'already_refunded') return 0
    throw unexpected(answer.refusal)
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

  /** Sets the mark after which the request can no longer withdraw the job. */
  async #claim(transcriptId: string): Promise<'claimed' | 'given_up' | 'ended'> {
    const row = await this.database
      .updateTable('transcripts')
      .set((columns) => ({ claimed_at: columns.fn.coalesce('claimed_at', columns.val(new Date())) }))
      .where('id', '=', transcriptId)
      .where('status', 'in', ['pending', 'processing'])
      .returning('given_up_at')
      .executeTakeFirst()
    if (!row) return 'ended'
    return row.given_up_at === null ? 'claimed' : 'given_up'
  }

  async #giveUp(transcriptId: string) {
    await this.database
      .updateTable('transcripts')
      .set((row) => ({ given_up_at: row.fn.coalesce('given_up_at', row.val(new Date())) }))
      .where('id', '=', transcriptId)
      .where('status', 'in', ['pending', 'processing'])
      .execute()
    return this.database
      .selectFrom('transcripts')
      .select(['status', 'word_count', 'duration_seconds', 'charged_microcredits', 'episode_title'])
      .where('id', '=', transcriptId)
      .executeTakeFirstOrThrow()
  }

  async #markRefused(
    transcriptId: string,
    refusal: Extract<Refusal, { code: 'insufficient_credits' }>,
  ): Promise<void> {
    const required = toCredits(refusal.requiredMicrocredits)
    const available = toCredits(refusal.availableMicrocredits)
    await this.database
      .updateTable('transcripts')
      .set({
        status: 'refused',
        message: `Insufficient credits: required ${required}, available ${available}`,
        finished_at: new Date(),
      })
      .where('id', '=', transcriptId)
      .where('status', '=', 'pending')
      .execute()
  }

  async #showCharge(transcriptId: string, charged: Microcredits, durationSeconds?: number): Promise<void> {
    await this.database
      .updateTable('transcripts')
      .set({
        charged_microcredits: charged,
        ...(durationSeconds !== undefined && { duration_seconds: Math.round(durationSeconds) }),
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
    ...(durationSeconds !== undefined && { estimatedDurationSeconds: Math.round(durationSeconds) }),
  }
}

function notCovered(
  refusal: Refusal,
  durationSeconds: number,
  price: Microcredits,
  charged: Microcredits,
): unknown {
  if (refusal.code !== 'insufficient_credits') return unexpected(refusal)
  const available = toCredits(microcredits(refusal.availableMicrocredits + charged))
  return explained(
    `The audio is ${minutes(durationSeconds)} long, more than its feed says. ` +
      `Insufficient credits: required ${toCredits(price)}, available ${available}.`,
    { final: true },
  )
}

/** A refusal that these operation ids cannot meet: a bug, or a job whose credits went back already. */
function unexpected(refusal: Refusal): unknown {
  return explained('The charge for this transcription could not be made.', {
    final: true,
    cause: new Error(refusal.code),
  })
}
