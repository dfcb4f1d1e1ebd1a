-- Pictures for emails. The files stand under DATA_DIR in files/images/<workspace>/, each named by
-- its token.

-- owner: images
create table images (
  workspace_id bigint not null,
  id bigint generated always as identity,
  -- The part of the public address that nobody can guess.
  token text not null check (token ~ '^[A-Za-z0-9_-]{22}$'),
  format text not null check (format in ('png', 'jpg', 'gif')),
  -- SHA-256 of the file that was uploaded, so that the same file is kept once.
  content_hash bytea not null check (octet_length(content_hash) = 32),
  name text not null check (char_length(name) between 1 and 120),
  -- What it shows, for those who do not see it. Empty: it only decorates. Null: nobody has said.
  alt text check (char_length(alt) <= 300),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes bigint not null check (bytes > 0),
  is_animated boolean not null default false,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Deleted images answer at their address until a night removes them for good.
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
create unique index images_token on images (workspace_id, token);
create unique index images_content on images (workspace_id, content_hash);
alter table images enable row level security;
create policy tenant on images
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
