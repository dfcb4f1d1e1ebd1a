-- The email services that tell a workspace of bounces and complaints.
-- owner: bounces
create table bounce_webhooks (
  workspace_id bigint not null,
  provider text not null,
  is_on boolean not null default true,
  -- Part of its address, so that an address that was taken back works no more.
  version integer not null default 1,
  -- What its calls are proved with, encrypted. Of a service without signatures: null, or a password of its calls.
  secret text,
  -- Of Amazon SNS: the topic that was confirmed. No other may call.
  topic text,
  last_call_at timestamptz,
  -- Calls that were proved, and the bounces and complaints in them.
  calls bigint not null default 0,
  events bigint not null default 0,
  -- Those that were about messages of this workspace.
  found bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, provider)
);
alter table bounce_webhooks enable row level security;
create policy tenant on bounce_webhooks
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Calls that were taken, for as long as they could be sent again with the same signature.
-- owner: bounces
create table bounce_calls (
  workspace_id bigint not null,
  provider text not null,
  digest bytea not null,
  at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, provider, digest)
);
create index bounce_calls_at on bounce_calls (workspace_id, at);
alter table bounce_calls enable row level security;
create policy tenant on bounce_calls
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
