-- A projection is built anew rather than migrated: its lines are known by their account and revision, which both event
-- stores count alike; positions they do not.
truncate credit_transactions;
alter table credit_transactions
  drop constraint credit_transactions_pkey,
  drop column position,
  add column revision bigint not null,
  add column event_id uuid not null,
  add primary key (account_id, revision);

-- How far each account's lines are, and what its events say that it has and owes.
create table credit_accounts (
  account_id uuid primary key,
  revision bigint not null,
  balance_microcredits bigint not null check (balance_microcredits >= 0),
  owed_microcredits bigint not null check (owed_microcredits >= 0)
);

-- Where EventStoreDB keeps the events: which operation wrote which revision, for ever. Up to each stream's highest
-- revision here; behind it the stream itself is read.
create table event_operations (
  stream_id text not null,
  revision bigint not null,
  operation_id text not null,
  refers_to text,
  primary key (stream_id, revision)
);
-- By an expression, as those of the table events are and for the same reason.
create index event_operations_operation on event_operations (operation_id, (stream_id || ''));
create index event_operations_refers_to on event_operations (refers_to, (stream_id || '')) where refers_to is not null;

update projection_checkpoints set position = 0 where projection = 'credit_transactions';
