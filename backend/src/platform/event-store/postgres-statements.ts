/** Every append tells it to whoever listens. */
export const eventsChannel = 'earmark_events'

export const eventColumns =
  'stream_id, revision, event_id, type, schema_version, data, metadata, operation_id, refers_to, recorded_at'

/**
 * Appends to many streams in one statement and one transaction. $1: `[{ place, stream_id, expected_revision }]`, $2:
 * `[{ stream, place, event_id, ... }]`, where `stream` is the place of a stream and an event's own place counts from 1.
 *
 * A stream is fresh where its last revision is the expected one and none of its events' operations is in it already
 * or is referred to by an earlier event; the others are left out. Fresh streams take their positions from the
 * counter row, whose lock is held until the commit: positions are gapless and in commit order.
 *
 * What is fresh was seen before that lock was had. Whoever moved a stream in between took a revision that is wanted here,
 * so that the statement fails as a whole (unique_violation): asked again it sees them.
 *
 * Answers the fresh places, and whether the ledger is kept here: if not, nothing was written.
 */
export const appendStatement = `
  with item as materialized (
    select * from jsonb_to_recordset($2::jsonb) as item(
      stream int, place int, event_id uuid, type text, schema_version smallint, data jsonb, metadata jsonb,
      operation_id text, refers_to text, recorded_at timestamptz
    )
  ), stream as materialized (
    select wanted.place, wanted.stream_id, wanted.expected_revision, head.recorded_at as last_recorded_at
    from jsonb_to_recordset($1::jsonb) as wanted(place int, stream_id text, expected_revision bigint)
    left join lateral (
      select revision, recorded_at from events where events.stream_id = wanted.stream_id order by revision desc limit 1
    ) head on true
    where coalesce(head.revision, -1) = wanted.expected_revision
  ), used as materialized (
    select item.stream from item join stream on stream.place = item.stream
    where (select true from events where stream_id = stream.stream_id and operation_id = item.operation_id limit 1)
       or (select true from events where stream_id = stream.stream_id and refers_to = item.operation_id limit 1)
  ), fresh as materialized (
    select item.*, stream.stream_id, stream.expected_revision, stream.last_recorded_at,
           row_number() over (order by item.stream, item.place) as number
    from item join stream on stream.place = item.stream
    where item.stream not in (select stream from used)
  ), counter as (
    update event_store_position set position = position + (select count(*) from fresh)
    where store = 'postgres' and exists (select from fresh)
    returning position - (select count(*) from fresh) as before
  ), inserted as (
    insert into events (position, ${eventColumns})
    select counter.before + number, stream_id, expected_revision + place, event_id, type, schema_version, data, metadata,
           operation_id, refers_to,
           -- A clock that goes back must not put an event before the one that it follows.
           coalesce(recorded_at, greatest(clock_timestamp(), last_recorded_at))
    from counter, fresh
  )
  select array(select distinct stream from fresh) as fresh,
         not exists (select from fresh) or exists (select from counter) as is_kept_here,
         (select pg_notify('${eventsChannel}', '') from counter)`

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
      select ${eventColumns} from events where stream_id = wanted.stream_id and operation_id = operation.id limit 1
    ) written
    union all
    select referring.* from unnest(wanted.operation_ids) as operation(id) cross join lateral (
      select ${eventColumns} from events where stream_id = wanted.stream_id and refers_to = operation.id offset 0
    ) referring
  ) found`

/** The last events of the streams $1. */
export const headsStatement = `
  select head.* from unnest($1::text[]) as wanted(stream_id) cross join lateral (
    select ${eventColumns} from events where events.stream_id = wanted.stream_id order by revision desc limit 1
  ) head`
