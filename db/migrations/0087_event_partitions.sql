-- What readers did is kept by months of UTC, so that old months are dropped as a whole: deleting a
-- hundred million rows takes hours, and vacuum takes them again.
alter table tracking_events rename to tracking_events_unparted;
alter table tracking_events_unparted rename constraint tracking_events_pkey to tracking_events_unparted_pkey;
drop index tracking_events_link;

-- What readers and their programs did with a message, as it came in.
-- owner: tracking
create table tracking_events (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  kind text not null,
  -- Of a click: the number of the link.
  link integer,
  at timestamptz not null default clock_timestamp(),
  -- What kind of program asked.
  agent text not null,
  device text,
  is_human boolean not null,
  -- By which rules that was judged.
  judged_by smallint not null,
  constraint tracking_events_kind check (kind in ('open', 'click', 'leave')),
  -- Events are found by their message.
  primary key (workspace_id, mailing_id, send_id, at, id)
) partition by range (at);
alter table tracking_events enable row level security;
create policy tenant on tracking_events
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

create index tracking_events_link on tracking_events (workspace_id, mailing_id, link, send_id) where kind = 'click';

-- Takes what has no month yet, so that no event is ever refused.
create table tracking_events_rest partition of tracking_events default;
alter table tracking_events_rest enable row level security;

-- Makes the months from `first` on, and answers how many were new. A month takes over what the rest
-- has of it. The policy is that of the whole table: months are for nobody but their owner.
create function make_event_months(first timestamptz, months integer) returns integer
language plpgsql security definer set search_path to 'public', 'pg_temp' set lock_timeout to '2s' as $$
declare
  begins timestamp;
  part text;
  bounds text[];
  made integer := 0;
begin
  for begins in
    select date_trunc('month', first at time zone 'UTC') + make_interval(months => n)
    from generate_series(0, months - 1) n
  loop
    part := 'tracking_events_' || to_char(begins, 'YYYY_MM');
    continue when to_regclass('public.' || part) is not null;
    -- What is written meanwhile waits for a moment.
    lock table tracking_events_rest in access exclusive mode;
    -- Another process may have been faster.
    continue when to_regclass('public.' || part) is not null;
    bounds := array[begins at time zone 'UTC', (begins + interval '1 month') at time zone 'UTC']::text[];
    execute format('create table %I (like tracking_events including defaults including constraints)', part);
    execute format('alter table %I enable row level security', part);
    if exists (select from pg_roles where rolname = 'email_manager_app') then
      execute format('revoke all on %I from email_manager_app', part);
    end if;
    execute format(
      'with taken as (delete from tracking_events_rest where at >= %L and at < %L returning *)
       insert into %I select * from taken', bounds[1], bounds[2], part);
    execute format('alter table tracking_events attach partition %I for values from (%L) to (%L)',
      part, bounds[1], bounds[2]);
    made := made + 1;
  end loop;
  return made;
end
$$;
revoke execute on function make_event_months(timestamptz, integer) from public;

-- Drops the months that ended so many months ago, and answers how many. It forgets nothing that is
-- younger than two years, whoever asks.
create function drop_event_months(months integer) returns integer
language plpgsql security definer set search_path to 'public', 'pg_temp' set lock_timeout to '2s' as $$
declare
  oldest timestamp := (now() at time zone 'UTC') - make_interval(months => greatest(months, 24));
  part text;
  dropped integer := 0;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'tracking_events'::regclass and c.relname ~ '^tracking_events_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= oldest
    order by 1
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
revoke execute on function drop_event_months(integer) from public;

-- The months of what there is. A new installation makes its months when it starts.
select make_event_months(month, 1)
from (select distinct date_trunc('month', at, 'UTC') as month from tracking_events_unparted order by 1) m;

insert into tracking_events overriding system value select * from tracking_events_unparted;
select setval(pg_get_serial_sequence('tracking_events', 'id'), max(id)) from tracking_events having max(id) is not null;
drop table tracking_events_unparted;
