-- At most so many campaigns in so many days to one person.
alter table send_paces
  add column cap_messages smallint check (cap_messages > 0),
  add column cap_days smallint check (cap_days between 1 and 90),
  add check ((cap_messages is null) = (cap_days is null));

-- Leaves out whoever was mailed in the days before.
alter table mailings add column rest_days smallint check (rest_days between 1 and 90);

-- One mailing of a workspace is written down at a time: each sees whom those before it go to.
create or replace function claim_freeze(run uuid, seconds integer, leave_out bigint[])
returns table (workspace_id bigint, id bigint)
language sql security definer set search_path to public, pg_temp
as $$
  select pg_advisory_xact_lock(7213, 0);
  update mailings m
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id from mailings o
    where o.status = 'freezing' and o.ended_at is null and o.id <> all(leave_out)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and not exists (
        select from mailings other
        where other.workspace_id = o.workspace_id and other.status = 'freezing' and other.ended_at is null
          and other.lease_until >= clock_timestamp()
      )
    order by o.id limit 1
    for update of o skip locked
  ) next
  where m.workspace_id = next.workspace_id and m.id = next.id
  returning m.workspace_id, m.id
$$;
