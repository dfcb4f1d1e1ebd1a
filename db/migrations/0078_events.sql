-- The stream of events: what happened to contacts, lists, campaigns and messages, in the order in
-- which it was committed.
--
-- Whoever does something writes here, in the same transaction. Numbers from a sequence are in the
-- order of writing, and a long transaction commits long after later numbers could be read. So
-- nothing is read here.
-- owner: events
create table event_inbox (
  workspace_id bigint not null,
  id bigint generated always as identity,
  type text not null,
  subject_id bigint,
  data jsonb,
  contact_ids bigint[] not null,
  at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
create index event_inbox_order on event_inbox (id);
alter table event_inbox enable row level security;
create policy tenant on event_inbox
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- One process at a time moves what was committed here and numbers it, so that whoever reads up to
-- a position has read everything before it.
-- owner: events
create table events (
  workspace_id bigint not null,
  position bigint generated always as identity,
  type text not null,
  subject_id bigint,
  data jsonb,
  contact_ids bigint[] not null,
  at timestamptz not null,
  primary key (workspace_id, position)
);
alter table events enable row level security;
create policy tenant on events
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Moves at most so many events into the stream and answers how many. Zero while another process
-- does.
create function sequence_events(most integer) returns integer
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  moved integer;
begin
  if not pg_try_advisory_xact_lock(7214, 0) then
    return 0;
  end if;
  with taken as (
    delete from event_inbox
    where (workspace_id, id) in (select i.workspace_id, i.id from event_inbox i order by i.id limit most)
    returning *
  ), kept as (
    insert into events (workspace_id, type, subject_id, data, contact_ids, at)
    select workspace_id, type, subject_id, data, contact_ids, at from taken order by id
    returning 1
  )
  select count(*) into moved from kept;
  return moved;
end $$;

-- For the readers of the stream: which campaign a mailing was made for.
alter table mailings add column campaign_id bigint;
update mailings m set campaign_id = c.id
from campaigns c where c.workspace_id = m.workspace_id and c.mailing_id = m.id;
