-- How many campaign messages an hour leave to one receiver: a provider, by the domain of its mail
-- servers, or a single domain.
-- owner: pace
create table receiver_paces (
  workspace_id bigint not null,
  receiver text collate "C" not null,
  per_hour integer not null check (per_hour > 0),
  -- The moment from which on the next message has its place.
  next_at timestamptz not null default 'epoch',
  primary key (workspace_id, receiver)
);
alter table receiver_paces enable row level security;
create policy tenant on receiver_paces
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
