-- A mailing may leave evenly over some hours. Each of its parts then has a time before which nobody
-- takes it up, unless the mailing was cancelled.
alter table campaigns add column spread_hours smallint check (spread_hours between 1 and 72);
alter table mailings add column spread_hours smallint check (spread_hours between 1 and 72);
alter table send_parts add column not_before timestamptz;

create or replace function claim_send_part(run uuid, seconds integer, leave_out bigint[])
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with open as materialized (
    select m.workspace_id, m.id, m.kind, m.status,
      (select count(*) from send_parts r
       where r.workspace_id = m.workspace_id and r.mailing_id = m.id and r.status <> 'done'
         and r.lease is not null and r.lease_until >= clock_timestamp()) as under_way
    from mailings m
    -- Of a cancelled one, those who wait are still to be written down as skipped.
    where m.status in ('sending', 'cancelled') and m.ended_at is null
      and coalesce(m.wait_until, '-infinity') < clock_timestamp()
  ), turns as (
    select o.*, sum(under_way) over (partition by workspace_id) as workspace_under_way from open o
  )
  update send_parts p
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select q.workspace_id, q.id
    from turns t
    cross join lateral (
      select s.workspace_id, s.id from send_parts s
      where s.workspace_id = t.workspace_id and s.mailing_id = t.id and s.status <> 'done'
        and coalesce(s.lease_until, '-infinity') < clock_timestamp() and s.id <> all(leave_out)
        and (s.not_before is null or s.not_before <= clock_timestamp() or t.status = 'cancelled')
      order by s.id limit 1
      for update skip locked
    ) q
    order by t.status = 'cancelled', t.kind <> 'transactional', t.workspace_under_way, t.under_way, t.id
    limit 1
  ) next
  where p.workspace_id = next.workspace_id and p.id = next.id
  returning p.workspace_id, p.id
$function$;
