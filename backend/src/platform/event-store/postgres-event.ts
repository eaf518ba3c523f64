import type { RecordedEvent } from './event-store.ts'

/** A row of the table `events`, less its position. */
export type EventRow = {
  stream_id: string
  revision: number
  event_id: string
  type: string
  schema_version: number
  data: Record<string, unknown>
  metadata: Record<string, unknown>
  operation_id: string
  refers_to: string | null
  recorded_at: Date
}

const columnTypes = {
  stream_id: 'text',
  revision: 'bigint',
  event_id: 'uuid',
  type: 'text',
  schema_version: 'smallint',
  data: 'json',
  metadata: 'json',
  operation_id: 'text',
  refers_to: 'text',
  recorded_at: 'timestamptz',
} satisfies Record<keyof EventRow, string>

export const eventColumns = Object.keys(columnTypes).join(', ')

/** The columns as `json_to_recordset` is told of them. */
export const eventRecord = Object.entries(columnTypes)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ')

export function toRecordedEvent(row: EventRow): RecordedEvent {
  return {
    streamId: row.stream_id,
    revision: row.revision,
    eventId: row.event_id,
    type: row.type,
    schemaVersion: row.schema_version,
    data: row.data,
    metadata: row.metadata,
    operationId: row.operation_id,
    ...(row.refers_to !== null && { refersTo: row.refers_to }),
    recordedAt: row.recorded_at,
  }
}

export function toEventRow(event: RecordedEvent): EventRow {
  return {
    stream_id: event.streamId,
    revision: event.revision,
    event_id: event.eventId,
    type: event.type,
    schema_version: event.schemaVersion,
    data: event.data,
    metadata: event.metadata,
    operation_id: event.operationId,
    refers_to: event.refersTo ?? null,
    recorded_at: event.recordedAt,
  }
}
