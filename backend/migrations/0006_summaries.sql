create table summaries (
  id uuid primary key,
  transcript_id uuid not null references transcripts on delete cascade,
  user_id uuid not null references users on delete cascade,
  summary_type text not null check (summary_type in ('smart_summary', 'action_plan', 'thought_provoking')),
  -- `refused` was never charged and is seen nowhere.
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'refused')),
  message text,
  progress_percent smallint,
  content jsonb,
  request_id text not null,
  created_at timestamptz not null default now(),
  -- As with transcripts: set before the charge; from then on the request can no longer withdraw it.
  claimed_at timestamptz,
  -- Set before the credits of a failed one go back; from then on it can no longer be completed.
  given_up_at timestamptz,
  finished_at timestamptz
);
create index summaries_of_transcript on summaries (transcript_id, summary_type, created_at desc);
create unique index summaries_one_of_a_type on summaries (transcript_id, summary_type)
  where status in ('pending', 'processing', 'completed');
create index summaries_unfinished on summaries (created_at) where status in ('pending', 'processing');

-- What was noted of each part of a transcript that is too long for one question to the model.
create table summary_notes (
  summary_id uuid not null references summaries on delete cascade,
  part integer not null,
  notes jsonb not null,
  primary key (summary_id, part)
);
