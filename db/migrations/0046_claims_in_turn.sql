-- Processes that claimed at the same moment did not see each other's claims: two of them together gave a workspace one run
-- more than it may have. Now they claim one after the other. A claim takes a millisecond, and the lock ends with it.
-- Each statement of a volatile function sees what was committed before it began, so the second one counts what the
-- previous holder of the lock took. The functions keep their names, so processes of an earlier version claim in turn too.

create or replace function claim_import(run uuid, seconds integer, each_workspace integer, leave_out bigint[])
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
  select pg_advisory_xact_lock(7209, 0);
  update imports i
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id
    from imports o
    cross join lateral (
      -- Without a file key it is still arriving, which takes no engine.
      select count(*) as under_way from imports r
      where r.status in ('uploading', 'checking', 'processing') and r.lease_until >= clock_timestamp()
        and r.file_key is not null and r.workspace_id = o.workspace_id
    ) busy
    where o.status in ('uploading', 'checking', 'processing') and o.id <> all(leave_out)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and busy.under_way < each_workspace
    order by busy.under_way, o.created_at, o.id
    limit 1
    for update of o skip locked
  ) next
  where i.workspace_id = next.workspace_id and i.id = next.id
  returning i.workspace_id, i.id
$$;

create or replace function claim_waiting_task(
  run uuid, kinds text[], seconds integer, each_workspace integer, patience integer, leave_out bigint[]
)
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
  select pg_advisory_xact_lock(7210, 0);
  update tasks t
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id
    from tasks o
    cross join lateral (
      select count(*) as under_way from tasks r
      where r.status in ('waiting', 'running') and r.lease is not null and r.lease_until >= clock_timestamp()
        and r.workspace_id = o.workspace_id
    ) busy
    where o.status in ('waiting', 'running') and o.kind = any(kinds) and o.id <> all(leave_out)
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
