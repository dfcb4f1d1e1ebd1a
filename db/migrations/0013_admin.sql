-- What the administrator of the installation needs: suspended accounts, a record of what he did, and how long the product was up.

-- A suspended account cannot sign in and its sessions count for nothing.
alter table users add column suspended_at timestamptz;
alter table users add column suspended_by text;
alter table users add column suspension_reason text;

-- As before, and a key made by somebody who is suspended lets nobody in meanwhile: else the suspended would simply go on with it.
create or replace function use_api_key(workspace bigint, key_hash bytea, window_seconds integer)
returns table (id bigint, name text, scopes text[], created_by bigint, workspace_name text, used integer, resets_in integer)
language plpgsql volatile security definer
set search_path = public, pg_temp
as $$
declare
  one api_keys%rowtype;
begin
  select * into one from api_keys k
  where k.workspace_id = workspace and k.hash = key_hash
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    and not exists (select from users u where u.id = k.created_by and u.suspended_at is not null);
  if not found then return; end if;
  if one.last_used_at is null or one.last_used_at < now() - interval '1 minute' then
    update api_keys k set last_used_at = now() where k.workspace_id = workspace and k.id = one.id;
  end if;
  return query
    with counted as (
      insert into api_key_uses as u (workspace_id, key_id, window_start, count)
      values (workspace, one.id, clock_timestamp(), 1)
      on conflict (workspace_id, key_id) do update set
        count = case when u.window_start <= clock_timestamp() - make_interval(secs => window_seconds)
                     then 1 else u.count + 1 end,
        window_start = case when u.window_start <= clock_timestamp() - make_interval(secs => window_seconds)
                            then clock_timestamp() else u.window_start end
      returning u.count, u.window_start
    )
    select one.id, one.name, one.scopes, one.created_by, w.name, c.count,
           greatest(1, ceil(window_seconds - extract(epoch from clock_timestamp() - c.window_start)))::integer
    from counted c, workspaces w where w.id = workspace;
end
$$;

-- owner: admin
-- What the administrator did. It belongs to no workspace: some of it touches none, and some touches several. Insert-only.
create table admin_actions (
  id bigint generated always as identity primary key,
  actor text not null,
  -- A verb in the past: 'user.suspended'.
  action text not null,
  -- What it was done to: 'user:12', 'task:3/40', 'job:mail.deliver'.
  subject text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);

-- owner: admin
-- One line for each time that a process which answers people was up without a break. `seen_at` moves on every few seconds; a
-- process that could not write it for longer than it may counts as down meanwhile and gets a new line.
create table uptime_spans (
  id bigint generated always as identity primary key,
  process text not null,
  host text not null,
  role text not null,
  began_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  -- Set when it stopped in good order.
  stopped_at timestamptz
);
create index uptime_spans_seen_at on uptime_spans (seen_at);
-- At most one open line for a process.
create unique index uptime_spans_open on uptime_spans (process) where stopped_at is null;

-- The figures below are of all workspaces together, so they are read as the owner. They give sums, never whose they are.

-- Rows of completed imports: ever, and of those finished from `month_start` on; and, of the imports finished from
-- `recent_start` on, how many there were, with how many rows and how many seconds of work.
create function import_figures(month_start timestamptz, recent_start timestamptz)
returns table (rows_ever bigint, rows_this_month bigint, recent_imports bigint, recent_rows bigint, recent_seconds float8)
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(sum(i.rows), 0)::bigint,
         coalesce(sum(i.rows) filter (where i.finished_at >= month_start), 0)::bigint,
         count(*) filter (where i.finished_at >= recent_start and i.started_at is not null),
         coalesce(sum(i.rows) filter (where i.finished_at >= recent_start and i.started_at is not null), 0)::bigint,
         coalesce(sum(extract(epoch from i.finished_at - i.started_at)) filter (where i.finished_at >= recent_start), 0)::float8
  from imports i where i.status = 'completed'
$$;
revoke execute on function import_figures(timestamptz, timestamptz) from public;

-- Contacts verified by runs that finished: ever, and from `month_start` on; and the runs begun from `day_start` on.
create function verification_figures(month_start timestamptz, day_start timestamptz)
returns table (contacts_ever bigint, contacts_this_month bigint, runs_today bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(sum((v.result ->> 'contacts')::bigint), 0)::bigint,
         coalesce(sum((v.result ->> 'contacts')::bigint) filter (where v.finished_at >= month_start), 0)::bigint,
         count(*) filter (where v.started_at >= day_start)
  from verification_runs v
$$;
revoke execute on function verification_figures(timestamptz, timestamptz) from public;

-- One page of the tasks of all workspaces in these states, newest first: where they are. Their input, state and result stay in
-- their workspace.
create function tasks_everywhere(states text[], skip bigint, take bigint)
returns table (
  workspace_id bigint, id bigint, kind text, title text, status text, done bigint, total bigint, phase text, error text,
  user_name text, cancel_requested boolean, attempts integer, created_at timestamptz, started_at timestamptz, finished_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select t.workspace_id, t.id, t.kind, t.title, t.status, t.done, t.total, t.phase, t.error,
         t.user_name, t.cancel_requested, t.attempts, t.created_at, t.started_at, t.finished_at
  from tasks t where t.status = any(states)
  order by t.created_at desc, t.id desc offset skip limit take
$$;
revoke execute on function tasks_everywhere(text[], bigint, bigint) from public;

-- How many tasks of all workspaces are in each state.
create function task_counts_everywhere() returns table (status text, tasks bigint)
language sql stable security definer set search_path = public, pg_temp
as $$ select t.status, count(*) from tasks t group by t.status $$;
revoke execute on function task_counts_everywhere() from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    revoke update, delete on admin_actions from email_manager_app;
    grant execute on function import_figures(timestamptz, timestamptz) to email_manager_app;
    grant execute on function verification_figures(timestamptz, timestamptz) to email_manager_app;
    grant execute on function tasks_everywhere(text[], bigint, bigint) to email_manager_app;
    grant execute on function task_counts_everywhere() to email_manager_app;
  end if;
end
$$;
