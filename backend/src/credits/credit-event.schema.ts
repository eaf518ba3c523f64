import * as z from 'zod'
import { summaryTypeSchema } from '@earmark/contracts/summary-content'
import type { NewEvent, RecordedEvent } from '../platform/event-store/event-store.ts'
import { microcredits, zero } from './domain/amounts.ts'
import type { CreditEvent } from './domain/events.ts'

/** The version that is written today. A reader of an older one turns it into today's shape here, before the domain sees it. */
const schemaVersion = 1

const amount = z.int().transform(microcredits)
const positive = z.int().positive().transform(microcredits)
const notNegative = z.int().nonnegative().transform(microcredits)

const note = z.object({
  description: z.string(),
  episodeTitle: z.string().exactOptional(),
  transcriptId: z.string().exactOptional(),
  estimatedDurationSeconds: z.number().exactOptional(),
  wordCount: z.int().exactOptional(),
  summaryType: summaryTypeSchema.exactOptional(),
})
const operation = {
  operationId: z.string().min(1),
  balanceAfterMicrocredits: notNegative,
  // Before anything could be reversed, nothing was owed.
  owedAfterMicrocredits: notNegative.default(zero),
  note,
}
const operationType = z.enum(['transcription', 'summary'])

const creditEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('CreditsGranted'),
    ...operation,
    amountMicrocredits: positive,
    // Before anything could be bought, every grant was an operator's and did not say so.
    operationType: z.enum(['purchase', 'grant']).default('grant'),
  }),
  z.object({ type: z.literal('CreditsDeducted'), ...operation, amountMicrocredits: positive, operationType }),
  z.object({
    type: z.literal('CreditsRefunded'),
    ...operation,
    amountMicrocredits: positive,
    deductionId: z.string().min(1),
    operationType,
  }),
  z.object({ type: z.literal('CreditsAdjusted'), ...operation, signedAmountMicrocredits: amount }),
  z.object({
    type: z.literal('CreditsReversed'),
    ...operation,
    amountMicrocredits: positive,
    grantId: z.string().min(1),
  }),
  z.object({ type: z.literal('DeductionVoided'), ...operation, deductionId: z.string().min(1) }),
])

/**
 * A stored event as the domain knows it.
 * @throws for an unknown type or version and for damaged data: better no balance than a wrong one.
 */
export function readCreditEvent(recorded: RecordedEvent): CreditEvent {
  const parsed =
    recorded.schemaVersion === schemaVersion
      ? creditEventSchema.safeParse({ ...recorded.data, type: recorded.type })
      : undefined
  if (!parsed?.success) {
    throw new Error(
      `Event ${recorded.streamId} #${recorded.revision} (${recorded.type} v${recorded.schemaVersion}) cannot be read`,
    )
  }
  return parsed.data
}

export function writeCreditEvent(
  event: CreditEvent,
  eventId: string,
  metadata: Record<string, unknown>,
): NewEvent {
  const { type, ...data } = event
  return {
    eventId,
    type,
    schemaVersion,
    data,
    metadata,
    operationId: event.operationId,
    ...refersToOf(event),
  }
}

/** The earlier operation that an event is about. */
export function refersToOf(event: CreditEvent): { refersTo?: string } {
  switch (event.type) {
    case 'CreditsRefunded':
    case 'DeductionVoided':
      return { refersTo: event.deductionId }
    case 'CreditsReversed':
      return { refersTo: event.grantId }
    case 'CreditsGranted':
    case 'CreditsDeducted':
    case 'CreditsAdjusted':
      return {}
  }
}
