-- What runs every minute asks once which workspaces have something to do. Otherwise it would open a
-- transaction for each workspace, every minute.

-- Workspaces with scheduled campaigns whose time has come, or comes within so many hours for
-- recipients in another time zone.
create function workspaces_with_due_campaigns(hours_ahead integer) returns setof bigint
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
  select distinct c.workspace_id from campaigns c
  where c.status = 'scheduled' and c.deleted_at is null and c.notice is null
    and c.send_at - case when c.by_recipient_zone then make_interval(hours => hours_ahead) else interval '0' end
      <= clock_timestamp()
$$;

-- Workspaces whose suppression list does not know yet of somebody who wants to leave.
create function workspaces_with_open_wishes() returns setof bigint
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
  select distinct w.workspace_id from leave_wishes w where w.done_at is null
$$;

-- Workspaces whose suppression list does not know yet of some bounces.
create function workspaces_with_due_bounces() returns setof bigint
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
  select distinct b.workspace_id from bounces b where b.is_due
$$;

-- owner: platform
-- The workspace that the nightly work began with last. The next night goes on after it, so that a
-- night that is too short does not always leave out the same workspaces.
create table nightly_place (
  id boolean primary key default true check (id),
  reached bigint not null
);
