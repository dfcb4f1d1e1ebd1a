-- The mail servers of a workspace. While one of them is in use, its messages leave through them
-- and not through the server of the installation.
-- owner: smtp-servers
create table smtp_servers (
  workspace_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  tls text not null check (tls in ('starttls', 'implicit', 'none')),
  -- Empty: without signing in.
  username text not null default '',
  -- Encrypted for its host and user. Moved to another one it does not open.
  password text,
  weight smallint not null default 1 check (weight between 1 and 100),
  -- Used only while none of the others can be.
  is_fallback boolean not null default false,
  is_active boolean not null default true,
  last_test_at timestamptz,
  last_test_ok boolean,
  last_test_answer text,
  -- Why messages could not leave through it when they last tried, until they can again.
  trouble text,
  trouble_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  check ((username = '') = (password is null))
);
alter table smtp_servers enable row level security;
create policy tenant on smtp_servers
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
