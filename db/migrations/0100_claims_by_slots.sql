-- Four imports have room at once, in the staging tables. A process that claimed a fifth waited for
-- room with its engine idle, and failed the import when the wait was too long. Now it stays in the
-- queue. A file that was cut off takes no room: its claim only ends it.
create or replace function claim_import(run uuid, seconds integer, each_workspace integer, leave_out bigint[])
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
  select pg_advisory_xact_lock(7209, 0);
  with at_work as materialized (
    -- Without a file key it is still arriving, which takes no engine.
    select r.workspace_id from imports r
    where r.status in ('uploading', 'checking', 'processing') and r.lease_until >= clock_timestamp()
      and r.file_key is not null
  )
  update imports i
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id
    from imports o
    cross join lateral (
      select count(*) as under_way from at_work r where r.workspace_id = o.workspace_id
    ) busy
    where o.status in ('uploading', 'checking', 'processing') and o.id <> all(leave_out)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and busy.under_way < each_workspace
      and (o.file_key is null or (select count(*) from at_work) < 4)
    order by busy.under_way, o.created_at, o.id
    limit 1
    for update of o skip locked
  ) next
  where i.workspace_id = next.workspace_id and i.id = next.id
  returning i.workspace_id, i.id
$$;
