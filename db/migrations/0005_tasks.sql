-- Long work, such as cleaning millions of contacts: what it is, how far it is, and which process is at work on it.

-- owner: tasks
-- A task waits, runs under a lease and ends. `lease` names the run that has it, not the process: a process that was thought
-- dead and comes back finds another name there and can write nothing more.
create table tasks (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  title text not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'running', 'completed', 'failed', 'cancelled')),
  input jsonb not null,
  -- What the last checkpoint saved: where a rerun goes on.
  state jsonb,
  result jsonb,
  link text,
  done bigint not null default 0,
  total bigint,
  phase text,
  error text,
  error_code text,
  user_id text,
  user_name text not null,
  actor text not null,
  cancel_requested boolean not null default false,
  lease uuid,
  -- While it runs: until when others leave it alone. While it waits: not before this.
  lease_until timestamptz,
  -- Runs since the last checkpoint.
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index tasks_open on tasks (created_at) where status in ('waiting', 'running');
alter table tasks enable row level security;
create policy tenant on tasks
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Gives the next task of these kinds to the run called `run`, of whatever workspace: one that waits, or whose process has
-- fallen silent. The workspace with the least work under way comes first, then whoever has waited longest; more than
-- `each_workspace` at once are not run for one. Nothing younger than `patience` seconds, for a process that leaves work to
-- others. Runs as the owner, because the one who asks works for no workspace in particular.
create function claim_task(run uuid, kinds text[], seconds integer, each_workspace integer, patience integer)
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
  update tasks t
  set status = 'running', lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds),
      attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp())
  from (
    select o.workspace_id, o.id
    from tasks o
    cross join lateral (
      select count(*) as under_way from tasks r
      where r.status = 'running' and r.lease_until >= clock_timestamp() and r.workspace_id = o.workspace_id
    ) busy
    where o.status in ('waiting', 'running') and o.kind = any(kinds)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and o.created_at <= clock_timestamp() - make_interval(secs => patience)
      and busy.under_way < each_workspace
    order by busy.under_way, o.created_at, o.id
    limit 1
    for update of o skip locked
  ) next
  where t.workspace_id = next.workspace_id and t.id = next.id
  returning t.workspace_id, t.id
$$;
revoke execute on function claim_task(uuid, text[], integer, integer, integer) from public;

-- Forgets tasks that ended more than `days` ago, of all workspaces.
create function expire_tasks(days integer) returns bigint
language sql volatile security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from tasks where finished_at < now() - make_interval(days => days) returning 1
  )
  select count(*) from gone
$$;
revoke execute on function expire_tasks(integer) from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant execute on function claim_task(uuid, text[], integer, integer, integer) to email_manager_app;
    grant execute on function expire_tasks(integer) to email_manager_app;
  end if;
end
$$;
