-- Nothing finds an event by its id, and an index costs on every append.
alter table events drop constraint events_event_id_key;

-- Where most streams are short, the index of revisions looks as good as one that begins with the stream, and an
-- operation of a long stream would be searched for event by event. An expression is nothing that it could serve.
drop index events_operation;
drop index events_refers_to;
create unique index events_operation on events (operation_id, (stream_id || '')) where operation_id is not null;
create index events_refers_to on events (refers_to, (stream_id || '')) where refers_to is not null;

-- Where the ledger lives. Whoever is configured for the other store must not write where nobody reads.
alter table event_store_position add column store text not null default 'postgres'
  check (store in ('postgres', 'eventstoredb', 'moving'));

-- Appends to many streams in one transaction: each stream's events all or none, and a stream that is refused leaves
-- the others alone. A stream is refused where it has moved past `expected_revision`, or where an event's operation id
-- is in it already or is referred to by an earlier event. Answers the places of the streams that were appended to.
-- The counter row is locked first and until the commit: what is then read is what every earlier append left, and
-- positions are gapless and in the order in which they become visible.
create function append_events(streams jsonb, items jsonb) returns int[]
language plpgsql as $$
declare
  before bigint;
  appended int[];
  written bigint;
begin
  select position into before from event_store_position where store = 'postgres' for update;
  if not found then
    raise exception 'the ledger is kept in another event store' using errcode = 'object_not_in_prerequisite_state';
  end if;

  with item as materialized (
    select * from jsonb_to_recordset(items) as item(
      stream int, place int, event_id uuid, type text, schema_version smallint, data jsonb, metadata jsonb,
      operation_id text, refers_to text, recorded_at timestamptz
    )
  ), stream as materialized (
    select wanted.place, wanted.stream_id, wanted.expected_revision, head.recorded_at as last_recorded_at
    from jsonb_to_recordset(streams) as wanted(place int, stream_id text, expected_revision bigint)
    left join lateral (
      select revision, recorded_at from events where events.stream_id = wanted.stream_id order by revision desc limit 1
    ) head on true
    where coalesce(head.revision, -1) = wanted.expected_revision
  ), used as materialized (
    select distinct item.stream from item join stream on stream.place = item.stream
    where (select true from events where stream_id || '' = stream.stream_id and operation_id = item.operation_id limit 1)
       or (select true from events where stream_id || '' = stream.stream_id and refers_to = item.operation_id limit 1)
  ), inserted as (
    insert into events (position, stream_id, revision, event_id, type, schema_version, data, metadata, operation_id,
                        refers_to, recorded_at)
    select before + row_number() over (order by item.stream, item.place), stream.stream_id,
           stream.expected_revision + item.place, item.event_id, item.type, item.schema_version, item.data,
           item.metadata, item.operation_id, item.refers_to,
           -- A clock that goes back must not put an event before the one that it follows.
           coalesce(item.recorded_at, greatest(clock_timestamp(), stream.last_recorded_at))
    from item join stream on stream.place = item.stream
    where item.stream not in (select stream from used)
    returning position
  )
  select (select coalesce(array_agg(place), '{}') from stream where place not in (select stream from used)),
         (select count(*) from inserted)
  into appended, written;

  if written > 0 then
    update event_store_position set position = before + written;
    perform pg_notify('earmark_events', '');
  end if;
  return appended;
end $$;
