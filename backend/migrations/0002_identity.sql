create table users (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_sign_in_at timestamptz
);
create unique index users_email on users (lower(email));

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

-- One line of tokens a session. A token is kept as its SHA-256; its successor's place is found by `parent_id`.
create table refresh_tokens (
  id uuid primary key,
  session_id uuid not null references sessions on delete cascade,
  parent_id uuid unique,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  rotated_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

-- Keys that sign access tokens: made by the first process that needs one, read by all.
create table signing_keys (
  kid text primary key,
  private_jwk jsonb not null,
  created_at timestamptz not null default now()
);

-- A solved bot challenge counts once.
create table used_challenges (
  solution_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_expiry on used_challenges (expires_at);
