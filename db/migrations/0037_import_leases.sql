-- Imports are claimed, held and given back as tasks are. An import whose file has arrived waits, with no lease, until a process
-- has an engine for it. The process that receives a file holds its lease meanwhile.

-- The run that holds the import; null while it waits, and where a process of an earlier version holds it.
alter table imports add column lease uuid;
-- What a checked file was checked with, while it is read again: that stands again when the new reading fails.
alter table imports add column checked_as jsonb;

-- Gives the next import that waits, or whose process has fallen silent, to the run called `run`, of whatever workspace. The
-- workspace with the fewest engines at work comes first, then whoever has waited longest; no workspace has more than
-- `each_workspace` at work. Those in `leave_out` are left to other processes. The caller works for no workspace in
-- particular, so this runs as the owner.
-- Processes of an earlier version still call claim_abandoned_imports while they are being replaced.
create function claim_import(run uuid, seconds integer, each_workspace integer, leave_out bigint[])
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
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
revoke execute on function claim_import(uuid, integer, integer, bigint[]) from public;

-- An import may take six hours at most: before, a day could be set.
update settings set import = jsonb_set(import, '{timeoutSeconds}', '21600')
where jsonb_typeof(import -> 'timeoutSeconds') = 'number' and (import ->> 'timeoutSeconds')::numeric > 21600;
