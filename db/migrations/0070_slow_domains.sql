-- Domains whose servers have asked for less mail. Campaign messages to them wait until then.
-- owner: sending
create table slow_domains (
  workspace_id bigint not null,
  domain text not null,
  until timestamptz not null,
  -- How often in a row it has asked: each time the wait is twice as long.
  times smallint not null,
  primary key (workspace_id, domain)
);
alter table slow_domains enable row level security;
create policy tenant on slow_domains
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
