-- Mails that came back to messages and that no rule understands. Somebody says what they mean.
-- owner: bounces
create table bounce_mails (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  sender text not null,
  subject text not null,
  -- The beginning of what it says, and of the whole mail.
  text text not null,
  source text not null,
  -- Of the whole mail, so that it is kept once.
  digest bytea not null,
  received_at timestamptz not null default clock_timestamp(),
  read_as text check (read_as in ('hard', 'soft', 'complaint', 'no_bounce')),
  read_by text,
  read_at timestamptz,
  primary key (workspace_id, id)
);
create unique index bounce_mails_once on bounce_mails (workspace_id, mailing_id, send_id, digest);
create index bounce_mails_open on bounce_mails (workspace_id, id) where read_as is null;
alter table bounce_mails enable row level security;
create policy tenant on bounce_mails
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
