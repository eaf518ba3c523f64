import * as z from 'zod'
import { summaryTypeSchema } from '@earmark/contracts/summary-content'
import type { Microcredits } from './domain/amounts.ts'
import type { CreditEvent } from './domain/events.ts'

/**
 * What is stored as an event's `data`, by version and type. A version that was written once stays as it is for ever:
 * what is new is a version of its own, with an upcaster. How to add one: docs/events/README.md.
 */

export type CreditEventType = CreditEvent['type']
type PositionAfter = Pick<CreditEvent, 'balanceAfterMicrocredits' | 'owedAfterMicrocredits'>
type DataOf<Type extends CreditEventType> = Omit<Extract<CreditEvent, { type: Type }>, 'type'>

const amount = amountOf(z.int())
const positive = amountOf(z.int().positive())
const notNegative = amountOf(z.int().nonnegative())

const operation = {
  operationId: z.string().min(1),
  balanceAfterMicrocredits: notNegative,
  owedAfterMicrocredits: notNegative.exactOptional(),
  note: z.object({
    description: z.string(),
    episodeTitle: z.string().exactOptional(),
    transcriptId: z.string().exactOptional(),
    estimatedDurationSeconds: z.number().exactOptional(),
    wordCount: z.int().exactOptional(),
    summaryType: summaryTypeSchema.exactOptional(),
  }),
}
const paidFor = { operationType: z.enum(['transcription', 'summary']) }
const madeBy = { operationType: z.enum(['purchase', 'grant']) }

/** Before anything could be reversed nothing was owed, and before anything could be bought no grant said what it is. */
const version1 = {
  CreditsGranted: z.object({
    ...operation,
    amountMicrocredits: positive,
    operationType: madeBy.operationType.exactOptional(),
  }),
  CreditsDeducted: z.object({ ...operation, amountMicrocredits: positive, ...paidFor }),
  CreditsRefunded: z.object({
    ...operation,
    amountMicrocredits: positive,
    deductionId: z.string().min(1),
    ...paidFor,
  }),
  CreditsAdjusted: z.object({ ...operation, signedAmountMicrocredits: amount }),
  CreditsReversed: z.object({ ...operation, amountMicrocredits: positive, grantId: z.string().min(1) }),
  DeductionVoided: z.object({ ...operation, deductionId: z.string().min(1) }),
}

/** Every event says what is owed behind it, and every grant whether it was bought. */
const owed = { owedAfterMicrocredits: notNegative }
const version2 = {
  CreditsGranted: onePosition(version1.CreditsGranted.extend({ ...owed, ...madeBy })),
  CreditsDeducted: onePosition(version1.CreditsDeducted.extend(owed)),
  CreditsRefunded: onePosition(version1.CreditsRefunded.extend(owed)),
  CreditsAdjusted: onePosition(version1.CreditsAdjusted.extend(owed)),
  CreditsReversed: onePosition(version1.CreditsReversed.extend(owed)),
  DeductionVoided: onePosition(version1.DeductionVoided.extend(owed)),
} satisfies { [Type in CreditEventType]: z.ZodType<DataOf<Type>> }

export const versions: Record<number, Record<CreditEventType, z.ZodObject>> = { 1: version1, 2: version2 }

/** The version that is written today, and which the domain reads. */
export const currentVersion = 2
export const current = version2

type Data = Record<string, unknown>

/** From each earlier version to the one behind it. Nothing is checked here: the current version's schema does that in the end. */
const upcasters: Record<number, (type: CreditEventType, data: Data) => Data> = {
  1: (type, data) => ({
    owedAfterMicrocredits: 0,
    ...(type === 'CreditsGranted' && { operationType: 'grant' }),
    ...data,
  }),
}

/** An event's data as the current version has it; `undefined` where the version is unknown. */
export function upcast(type: CreditEventType, version: number, data: Data): Data | undefined {
  if (version === currentVersion) return data
  const next = upcasters[version]
  return next && upcast(type, version + 1, next(type, data))
}

/** What comes in settles what is owed first, so that no account has a balance and owes. JSON Schema is not told. */
function onePosition<Schema extends z.ZodType<PositionAfter>>(schema: Schema): Schema {
  return schema.refine((after) => after.balanceAfterMicrocredits === 0 || after.owedAfterMicrocredits === 0, {
    path: ['owedAfterMicrocredits'],
    error: 'nothing is owed where there is a balance',
  })
}

/** Zod's integers are below 2^53, which is all that `microcredits` asks for: every event is read by this, so nothing is asked twice. */
function amountOf(integer: z.ZodInt) {
  return integer as unknown as z.ZodType<Microcredits, number>
}
