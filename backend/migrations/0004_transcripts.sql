create table transcripts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  episode_id text not null,
  episode_title text,
  podcast_title text,
  audio_url text not null,
  claimed_duration_seconds integer,
  duration_seconds integer,
  -- `refused` was never charged and is seen in no list.
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'refused')),
  message text,
  progress_percent smallint,
  charged_microcredits bigint,
  text text,
  segments jsonb,
  word_count integer,
  tags text[] not null default '{}',
  is_archived boolean not null default false,
  request_id text not null,
  created_at timestamptz not null default now(),
  -- Set by the workflow before it charges: from then on the request that created the row can no longer withdraw it.
  claimed_at timestamptz,
  -- Set before the credits of a failed job go back: from then on it can no longer be completed.
  given_up_at timestamptz,
  finished_at timestamptz
);
create index transcripts_user on transcripts (user_id, created_at desc);
create unique index transcripts_one_per_episode on transcripts (user_id, episode_id)
  where status in ('pending', 'processing', 'completed');
create index transcripts_unfinished on transcripts (created_at) where status in ('pending', 'processing');
