-- Nothing finds an event by its id, and an index costs on every append.
alter table events drop constraint events_event_id_key;

-- Where the ledger lives. Whoever is configured for the other store must not write where nobody reads.
alter table event_store_position add column store text not null default 'postgres'
  check (store in ('postgres', 'eventstoredb', 'moving'));
