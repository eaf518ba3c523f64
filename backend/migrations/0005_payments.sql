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

-- One row for each checkout, written before the card provider is asked for its session: amount, credits and owner come
-- from here alone, and asking again by the row's id opens no second session.
create table payments (
  id uuid primary key,
  session_id text unique,
  user_id uuid not null references users,
  package_id text not null,
  package_name text not null,
  package_description text,
  credits_microcredits bigint not null,
  price_cents integer not null,
  currency text not null,
  status text not null check (status in ('open', 'credited', 'expired', 'failed', 'review')),
  -- The payer has done their part and the money is on its way, as with a bank transfer.
  is_settling boolean not null default false,
  -- False where whoever comes back must not be sent to it again: it is settling, or the provider does not know it.
  is_reusable boolean not null default true,
  customer_email text,
  payment_intent_id text,
  request_id text not null,
  created_at timestamptz not null default now(),
  -- Until then it can be paid.
  expires_at timestamptz not null,
  looked_at timestamptz,
  -- When the reconciler looks next, as long as there is something to find out or a receipt to send.
  next_look_at timestamptz not null,
  credited_at timestamptz,
  -- The receipt was handed to the mail server.
  receipt_sent_at timestamptz
);
create index payments_to_look_at on payments (next_look_at)
  where status = 'open' or (status = 'credited' and receipt_sent_at is null);
-- Whoever comes back to a package finds the checkout that they left.
create unique index payments_one_open on payments (user_id, package_id, price_cents, credits_microcredits)
  where status = 'open' and is_reusable;
