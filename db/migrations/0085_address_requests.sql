-- Readers who want their emails at another address, until the new address confirms it.
-- owner: tracking
create table address_requests (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  contact_id bigint not null,
  -- What the contact's address was when it was asked for. After another change it holds no more.
  old_local text collate "C" not null,
  old_domain text collate "C" not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  asked_at timestamptz not null default now(),
  done_at timestamptz,
  primary key (workspace_id, id)
);
create index address_requests_send on address_requests (workspace_id, mailing_id, send_id);
create index address_requests_new on address_requests (workspace_id, domain, local);
create index address_requests_old on address_requests (workspace_id, old_domain, old_local);
alter table address_requests enable row level security;
create policy tenant on address_requests
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
