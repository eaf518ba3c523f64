/** `append_events` tells it to whoever listens. */
export const eventsChannel = 'earmark_events'

export const eventColumns =
  'stream_id, revision, event_id, type, schema_version, data, metadata, operation_id, refers_to, recorded_at'

/** $1: `[{ place, stream_id, expected_revision }]`, $2: `[{ stream, place, event_id, ... }]`; migration 0008 explains it. */
export const appendStatement = 'select append_events($1, $2) as appended'

/**
 * What decisions need of their streams, $1: `[{ place, stream_id, operation_ids }]`: the last event, and those that an
 * operation wrote or that refer to one. An event that is more than one of these comes more than once.
 */
export const decisionsStatement = `
  select wanted.place as question, found.*
  from jsonb_to_recordset($1::jsonb) as wanted(place int, stream_id text, operation_ids text[])
  cross join lateral (
    (select ${eventColumns} from events where stream_id = wanted.stream_id order by revision desc limit 1)
    union all
    select written.* from unnest(wanted.operation_ids) as operation(id) cross join lateral (
      select ${eventColumns} from events where stream_id || '' = wanted.stream_id and operation_id = operation.id limit 1
    ) written
    union all
    select referring.* from unnest(wanted.operation_ids) as operation(id) cross join lateral (
      select ${eventColumns} from events where stream_id || '' = wanted.stream_id and refers_to = operation.id offset 0
    ) referring
  ) found`

/** The last events of the streams $1. */
export const headsStatement = `
  select head.* from unnest($1::text[]) as wanted(stream_id) cross join lateral (
    select ${eventColumns} from events where events.stream_id = wanted.stream_id order by revision desc limit 1
  ) head`
