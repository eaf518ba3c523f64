-- Nothing asks the database what is in an event's data: kept as it came, it is neither taken apart when it is written nor
-- put together when it is read. The table is rewritten, and nobody reads or writes it meanwhile; a process of an older
-- version cannot go on with it: its commands fail, nothing is written wrongly, and jobs try again.
alter table events alter column data type json, alter column metadata type json;

drop function append_events;

-- Appends to many streams in one transaction: each stream's events all or none, and a stream that is refused leaves
-- the others alone. A stream is refused where it has moved past its expected revision, or where an event's operation
-- id is in it already or is referred to by an earlier event. Streams are told as two columns, events as ten;
-- `item_streams` says which stream an event is of, counted from 1. Answers the streams that were refused, counted so.
-- The counter row is locked first and until the commit: what is then read is what every earlier append left, and
-- positions are gapless and in the order in which they become visible.
create function append_events(
  stream_ids text[], expected_revisions bigint[],
  item_streams int[], revisions bigint[], event_ids uuid[], types text[], schema_versions smallint[], items_data json[],
  items_metadata json[], operation_ids text[], referred_operations text[], recorded_times timestamptz[]
) returns int[]
language plpgsql as $$
declare
  before bigint;
  refused int[];
  -- A clock that goes back must not put an event before the one that it follows.
  earliest_times timestamptz[];
  written bigint;
begin
  update event_store_position set position = position + cardinality(event_ids) where store = 'postgres'
    returning position - cardinality(event_ids) into before;
  if not found then
    raise exception 'the ledger is kept in another event store' using errcode = 'object_not_in_prerequisite_state';
  end if;

  select array_agg(place) filter (where coalesce(head.revision, -1) <> expected_revision),
         array_agg(greatest(clock_timestamp(), head.recorded_at) order by place)
  into refused, earliest_times
  from unnest(stream_ids, expected_revisions) with ordinality as wanted(stream_id, expected_revision, place)
  left join lateral (
    select revision, recorded_at from events where events.stream_id = wanted.stream_id order by revision desc limit 1
  ) head on true;

  -- Each looked up by itself: joined, they might be looked for in the whole table.
  refused := refused || array(
    select item.stream from unnest(item_streams, operation_ids) as item(stream, operation_id)
    where (select true from events where stream_id || '' = stream_ids[item.stream] and operation_id = item.operation_id limit 1)
       or (select true from events where stream_id || '' = stream_ids[item.stream] and refers_to = item.operation_id limit 1)
  );

  insert into events (position, stream_id, revision, event_id, type, schema_version, data, metadata, operation_id,
                      refers_to, recorded_at)
  select before + row_number() over (order by item.place), stream_ids[stream], item.revision, item.event_id, item.type,
         item.schema_version, item.data, item.metadata, item.operation_id, item.refers_to,
         coalesce(item.recorded_at, earliest_times[stream])
  from unnest(item_streams, revisions, event_ids, types, schema_versions, items_data, items_metadata, operation_ids,
              referred_operations, recorded_times)
    with ordinality
    as item(stream, revision, event_id, type, schema_version, data, metadata, operation_id, refers_to, recorded_at, place)
  where stream <> all (refused);
  get diagnostics written = row_count;

  if written < cardinality(event_ids) then
    update event_store_position set position = before + written;
  end if;
  if written > 0 then
    perform pg_notify('earmark_events', '');
  end if;
  return refused;
end $$;
