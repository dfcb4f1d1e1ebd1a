-- Further senders that campaigns may go out from. The default one stands in the settings.
-- owner: senders
create table sender_addresses (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  address text not null,
  -- Empty: replies go to the address itself.
  reply_to text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- The same address may stand under several names.
create unique index sender_addresses_same on sender_addresses (workspace_id, lower(address), name);
alter table sender_addresses enable row level security;
create policy tenant on sender_addresses
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
