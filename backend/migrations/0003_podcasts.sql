create table feeds (
  id text primary key,
  url text not null unique,
  slug text not null,
  title text not null,
  description text not null,
  image text not null,
  artwork text not null,
  link text not null,
  original_url text not null,
  -- Of the last answer: conditional requests, and when to ask again.
  etag text,
  last_modified text,
  fetched_at timestamptz,
  content_hash bytea
);
create index feeds_slug on feeds (slug);

create table episodes (
  feed_id text not null references feeds on delete cascade,
  id text not null,
  title text not null,
  description text not null,
  published_at timestamptz,
  duration_seconds integer,
  filesize_bytes bigint,
  audio_url text,
  place integer not null,
  primary key (feed_id, id)
);
create index episodes_order on episodes (feed_id, published_at desc nulls last, place);
