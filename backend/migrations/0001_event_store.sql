-- The event store. Positions come from one counter row that is taken inside the appending statement: gapless, and in
-- commit order, which neither a serial nor a timestamp is.
create table event_store_position (
  only_row boolean primary key default true check (only_row),
  position bigint not null
);
insert into event_store_position (position) values (0);

create table events (
  position bigint primary key,
  stream_id text not null,
  revision bigint not null check (revision >= 0),
  event_id uuid not null unique,
  type text not null,
  schema_version smallint not null,
  data jsonb not null,
  metadata jsonb not null,
  -- The operation that wrote the event, and the earlier operation that it is about (a refund's deduction).
  operation_id text,
  refers_to text,
  recorded_at timestamptz not null default clock_timestamp(),
  unique (stream_id, revision)
);
create unique index events_operation on events (stream_id, operation_id) where operation_id is not null;
create index events_refers_to on events (stream_id, refers_to) where refers_to is not null;

create table projection_checkpoints (
  projection text primary key,
  position bigint not null
);

create table credit_transactions (
  position bigint primary key,
  account_id uuid not null,
  operation_id text not null,
  transaction_type text not null check (transaction_type in ('deduct', 'add', 'refund')),
  operation_type text not null,
  amount_microcredits bigint not null check (amount_microcredits >= 0),
  balance_after_microcredits bigint not null check (balance_after_microcredits >= 0),
  description text not null,
  metadata jsonb not null,
  created_at timestamptz not null
);
create index credit_transactions_account on credit_transactions (account_id, position desc);
