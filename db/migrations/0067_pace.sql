-- How fast a workspace's campaigns leave: at most so many an hour and a day, not at night. A
-- workspace without a row knows no limit.
-- owner: pace
create table send_paces (
  workspace_id bigint primary key,
  per_hour integer check (per_hour > 0),
  per_day integer check (per_day > 0),
  -- Minutes after midnight on the clocks in London. From 20:00 to 08:00 goes over midnight.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  -- Messages that may leave at once, as of a moment. It fills up with time.
  tokens double precision not null default 'infinity',
  tokens_at timestamptz not null default now(),
  -- Messages handed over on a day of the calendar of London.
  day date,
  day_sent integer not null default 0,
  check ((quiet_from is null) = (quiet_to is null) and quiet_from is distinct from quiet_to or quiet_from is null)
);
alter table send_paces enable row level security;
create policy tenant on send_paces
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- New domains begin with few messages a day, and twice as many every so many days.
-- owner: pace
create table warm_ups (
  workspace_id bigint not null,
  domain text not null,
  begun_on date not null,
  first integer not null check (first > 0),
  double_every smallint not null check (double_every > 0),
  most integer not null check (most >= first),
  day date,
  day_sent integer not null default 0,
  primary key (workspace_id, domain)
);
alter table warm_ups enable row level security;
create policy tenant on warm_ups
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
