import type { ZodError } from 'zod'
import type { Head, NewEvent } from '../platform/event-store/event-store.ts'
import { type CreditEventType, current, currentVersion, upcast } from './credit-event-versions.ts'
import type { CreditEvent, EventNote } from './domain/events.ts'

/**
 * A stored event as the domain knows it.
 * @throws for an unknown type or version and for damaged data: better no balance than a wrong one.
 */
export function readCreditEvent(recorded: Head & { operationId?: string }): CreditEvent {
  const { type, schemaVersion } = recorded
  if (!isKnownType(type)) throw unreadable(recorded, 'the type is unknown')
  const data = upcast(type, schemaVersion, recorded.data)
  if (!data) throw unreadable(recorded, `the version is unknown; today's is ${currentVersion}`)
  const parsed = current[type].safeParse(data)
  if (!parsed.success) throw unreadable(recorded, issuesOf(parsed.error))
  if (recorded.operationId !== undefined && recorded.operationId !== parsed.data.operationId)
    throw unreadable(recorded, `it is filed under the operation ${recorded.operationId}`)
  // Each type's schema has that type's data: see `current`.
  return { ...parsed.data, type } as CreditEvent
}

function isKnownType(type: string): type is CreditEventType {
  return Object.hasOwn(current, type)
}

function unreadable({ streamId, revision, type, schemaVersion }: Head, why: string): Error {
  return new Error(`Event ${streamId} #${revision} (${type} v${schemaVersion}) cannot be read: ${why}`)
}

function issuesOf({ issues }: ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}

/**
 * An event as it is stored. Types do not hold for what came from outside, and an event is for ever.
 * @throws RangeError for one that nobody could read.
 */
export function writeCreditEvent(
  event: CreditEvent,
  eventId: string,
  metadata: Record<string, unknown>,
): NewEvent {
  const { type, ...rest } = event
  const data = { ...rest, note: storable(rest.note) }
  const parsed = current[type].safeParse(data)
  if (!parsed.success) throw new RangeError(`No event ${type} can be written: ${issuesOf(parsed.error)}`)
  return {
    eventId,
    type,
    schemaVersion: currentVersion,
    data,
    metadata,
    operationId: event.operationId,
    ...refersToOf(event),
  }
}

/**
 * Titles come from feeds: without the character 0 and half a surrogate pair, which an event could hold but the columns of
 * the credit history cannot.
 */
function storable(note: EventNote): EventNote {
  const clean = Object.entries(note).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
  ])
  return Object.fromEntries(clean) as EventNote
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
