-- Tasks are claimed and begun in two steps, so that a process which does not understand a task's input can put it back as it was.

-- Gives the next task of these kinds to the run called `run`, of whatever workspace: one that waits, or whose process has
-- fallen silent. The workspace with the least work under way comes first, then whoever has waited longest. No workspace has
-- more than `each_workspace` under way. Tasks younger than `patience` seconds are left to other processes, and those in
-- `leave_out` always. The caller works for no workspace in particular, so this runs as the owner.
-- Processes of an earlier version still call claim_task while they are being replaced.
create function claim_waiting_task(
  run uuid, kinds text[], seconds integer, each_workspace integer, patience integer, leave_out bigint[]
)
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
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
revoke execute on function claim_waiting_task(uuid, text[], integer, integer, integer, bigint[]) from public;
