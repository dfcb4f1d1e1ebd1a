-- The links of a mailing's messages, by which clicks are counted. Nobody is led anywhere else.
-- owner: tracking
create table mailing_links (
  workspace_id bigint not null,
  mailing_id bigint not null,
  -- From 1, in the order of the message.
  number integer not null,
  part text not null check (part in ('html', 'text')),
  url text not null,
  clicks bigint not null default 0,
  -- Of people. The rest are of programs that look into mail.
  human_clicks bigint not null default 0,
  primary key (workspace_id, mailing_id, number)
);
alter table mailing_links enable row level security;
create policy tenant on mailing_links
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- What readers and their programs did with a message, as it came in.
-- owner: tracking
create table tracking_events (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  kind text not null check (kind in ('open', 'click', 'leave')),
  -- Of a click: the number of the link.
  link integer,
  at timestamptz not null default clock_timestamp(),
  -- What kind of program asked.
  agent text not null,
  device text,
  is_human boolean not null,
  -- By which rules that was judged.
  judged_by smallint not null,
  primary key (workspace_id, id)
);
create index tracking_events_send on tracking_events (workspace_id, mailing_id, send_id);
create index tracking_events_age on tracking_events using brin (at);
alter table tracking_events enable row level security;
create policy tenant on tracking_events
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- The first of each kind for a person, so that people are counted once.
-- owner: tracking
create table tracked_sends (
  workspace_id bigint not null,
  mailing_id bigint not null,
  send_id bigint not null,
  opened_at timestamptz,
  human_opened_at timestamptz,
  clicked_at timestamptz,
  human_clicked_at timestamptz,
  left_at timestamptz,
  primary key (workspace_id, mailing_id, send_id)
) with (fillfactor = 80);
alter table tracked_sends enable row level security;
create policy tenant on tracked_sends
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- How many people did what, a row for each mailing and hour.
-- owner: tracking
create table mailing_hours (
  workspace_id bigint not null,
  mailing_id bigint not null,
  hour timestamptz not null,
  opened bigint not null default 0,
  human_opened bigint not null default 0,
  clicked bigint not null default 0,
  human_clicked bigint not null default 0,
  unsubscribed bigint not null default 0,
  primary key (workspace_id, mailing_id, hour)
) with (fillfactor = 70);
alter table mailing_hours enable row level security;
create policy tenant on mailing_hours
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Who has asked not to be mailed any more. Written before the suppression list is asked for, which may be busy: a wish is
-- never lost, and is carried out as soon as it can.
-- owner: tracking
create table leave_wishes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  primary key (workspace_id, id)
);
create index leave_wishes_open on leave_wishes (workspace_id, domain, local) where done_at is null;
alter table leave_wishes enable row level security;
create policy tenant on leave_wishes
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
