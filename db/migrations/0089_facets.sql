-- What readers call themselves, once for each text, so that a count can be judged anew by better
-- rules. It names nobody.
-- owner: tracking
create table tracking_agents (
  workspace_id bigint not null,
  -- The first eight bytes of its SHA-256.
  hash bigint not null,
  agent text not null,
  -- The day on which it was met last, to within a month.
  seen_on date not null default current_date,
  primary key (workspace_id, hash)
);
alter table tracking_agents enable row level security;
create policy tenant on tracking_agents
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- By which rules all events of a workspace are judged.
-- owner: tracking
create table tracking_judgements (
  workspace_id bigint primary key,
  judged_by smallint not null
);
alter table tracking_judgements enable row level security;
create policy tenant on tracking_judgements
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

alter table tracking_events
  -- Null: from before texts were kept.
  add column agent_hash bigint,
  add column is_head boolean not null default false,
  -- The mail program, where it says so.
  add column program text,
  -- ISO 3166-1 alpha-2, of the network that asked. Its address is not kept.
  add column country text;

-- With what people opened and clicked for the first time: device, mail program, country.
-- owner: tracking
create table mailing_facets (
  workspace_id bigint not null,
  mailing_id bigint not null,
  facet text not null,
  value text not null,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  primary key (workspace_id, mailing_id, facet, value),
  constraint mailing_facets_facet check (facet in ('device', 'program', 'country'))
) with (fillfactor = 70);
alter table mailing_facets enable row level security;
create policy tenant on mailing_facets
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

insert into mailing_facets (workspace_id, mailing_id, facet, value, opened, clicked)
select workspace_id, mailing_id, 'device', device, opened, clicked from mailing_devices;
drop table mailing_devices;
