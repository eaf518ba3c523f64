import { type EventData, jsonEvent, type ResolvedEvent } from '@eventstore/db-client'
import { z } from 'zod'
import type { NewEvent, PositionedEvent, RecordedEvent } from './event-store.ts'

/** What the store keeps of an event beside its data: in EventStoreDB all of it is the event's metadata. */
const envelopeSchema = z.object({
  operationId: z.string(),
  refersTo: z.string().optional(),
  schemaVersion: z.int(),
  /** Of a copied event: when it was recorded where it came from. */
  recordedAt: z.iso.datetime().optional(),
  /** When its predecessor was recorded: a server's clock that goes back must not put the event before it. */
  notBefore: z.iso.datetime().optional(),
  metadata: z.record(z.string(), z.unknown()),
})
const dataSchema = z.record(z.string(), z.unknown())

export function toEventData(event: NewEvent, predecessor: RecordedEvent | undefined): EventData {
  const envelope: z.input<typeof envelopeSchema> = {
    operationId: event.operationId,
    refersTo: event.refersTo,
    schemaVersion: event.schemaVersion,
    recordedAt: event.recordedAt?.toISOString(),
    notBefore: predecessor?.recordedAt.toISOString(),
    metadata: event.metadata,
  }
  return jsonEvent({ id: event.eventId, type: event.type, data: event.data, metadata: envelope })
}

/** @throws where the event was not written by this store, or is damaged. */
export function toRecordedEvent({ event }: ResolvedEvent): RecordedEvent {
  if (!event) throw new Error('EventStoreDB answered with a link whose event is gone')
  const name = `Event ${event.streamId} #${event.revision}`
  const envelope = envelopeSchema.safeParse(event.metadata)
  const data = dataSchema.safeParse(event.data)
  if (!event.isJson || !envelope.success || !data.success) {
    const reason = envelope.error ?? data.error
    throw new Error(`${name} cannot be read: ${reason ? z.prettifyError(reason) : 'its data is not JSON'}`)
  }
  const { recordedAt, notBefore, ...kept } = envelope.data
  const created = event.created.getTime()
  if (created <= 0 && recordedAt === undefined) throw new Error(`${name} does not say when it was recorded`)
  return {
    streamId: event.streamId,
    revision: safeNumber(event.revision, `The revision of ${name}`),
    eventId: event.id,
    type: event.type,
    data: data.data,
    schemaVersion: kept.schemaVersion,
    metadata: kept.metadata,
    operationId: kept.operationId,
    ...(kept.refersTo !== undefined && { refersTo: kept.refersTo }),
    recordedAt: new Date(recordedAt ?? Math.max(created, Date.parse(notBefore ?? '') || 0)),
  }
}

/** @throws like `toRecordedEvent`, and where the event has no position that a number can hold. */
export function toPositionedEvent(resolved: ResolvedEvent): PositionedEvent {
  return { ...toRecordedEvent(resolved), position: positionOf(resolved) }
}

/** @throws where it is none that a number can hold. */
export function positionOf({ event }: ResolvedEvent): number {
  return safeNumber(event?.position?.commit, `The position of an event of ${event?.streamId}`)
}

function safeNumber(value: bigint | undefined, what: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new Error(`${what} is ${String(value)}, which is not below 2^53`)
  return number
}
