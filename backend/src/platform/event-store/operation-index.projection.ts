import type { Projection } from '../projections/projection.ts'

/** Which operation wrote which event of EventStoreDB's streams, for ever. What is not in here yet is read from the stream's tail. */
export const operationIndexProjection: Projection = {
  name: 'event_operations',
  tables: ['event_operations'],

  async apply(client, pages) {
    for await (const events of pages) {
      const rows = events.map(({ streamId, revision, operationId, refersTo }) => ({
        stream_id: streamId,
        revision,
        operation_id: operationId,
        refers_to: refersTo,
      }))
      await client.query({ name: 'project-operations', text: writeRows, values: [JSON.stringify(rows)] })
    }
  },
}

const writeRows = `
  insert into event_operations (stream_id, revision, operation_id, refers_to)
  select stream_id, revision, operation_id, refers_to
  from jsonb_to_recordset($1) as row(stream_id text, revision bigint, operation_id text, refers_to text)`
