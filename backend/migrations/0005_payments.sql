-- What is on offer. A deployment changes prices here; a checkout that is open keeps what its own row says.
create table credit_packages (
  id text primary key,
  name text not null,
  description text,
  credits_microcredits bigint not null check (credits_microcredits > 0),
  price_cents integer not null check (price_cents >= 50),
  discount_percent smallint not null default 0 check (discount_percent between 0 and 100),
  is_offered boolean not null default true,
  position smallint not null
);
insert into credit_packages values
  ('starter', 'Starter', 'About 8 hours of audio', 5000000, 500, 0, true, 1),
  ('regular', 'Regular', 'About 33 hours of audio', 20000000, 1800, 10, true, 2),
  ('studio', 'Studio', 'About 83 hours of audio', 50000000, 4000, 20, true, 3);

-- One row for each checkout session, written before anybody can pay it: amount, credits and owner come from here alone.
create table payments (
  session_id text primary key,
  user_id uuid not null references users,
  package_id text not null,
  package_name text not null,
  credits_microcredits bigint not null,
  price_cents integer not null,
  currency text not null,
  status text not null check (status in ('open', 'credited', 'expired', 'failed', 'review')),
  customer_email text,
  payment_intent_id text,
  request_id text not null,
  created_at timestamptz not null default now(),
  -- When the reconciler looks next, as long as it is open.
  next_look_at timestamptz not null,
  credited_at timestamptz,
  -- The receipt was handed to the mail server.
  receipt_sent_at timestamptz
);
create index payments_to_look_at on payments (next_look_at) where status = 'open';
