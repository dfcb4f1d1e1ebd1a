-- When a part of the mailing was last claimed. Those who have waited longest are next.
alter table mailings add column served_at timestamptz;

-- The parts that somebody works on.
create index send_parts_leased on send_parts (workspace_id, mailing_id) where lease is not null;

-- Takes the place of claim_send_part, which stays for processes of the version before. Each kind of
-- mailing is claimed for itself. The workspaces in `full_ones` have enough under way.
create function claim_mailing_part(run uuid, seconds integer, of_kind text, leave_out bigint[], full_ones bigint[])
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with leased as materialized (
    select r.workspace_id, r.mailing_id, count(*) as parts from send_parts r
    where r.lease is not null and r.status <> 'done' and r.lease_until >= clock_timestamp()
    group by r.workspace_id, r.mailing_id
  ), open as (
    select m.workspace_id, m.id, m.status, m.served_at, coalesce(l.parts, 0) as under_way
    from mailings m
    left join leased l on l.workspace_id = m.workspace_id and l.mailing_id = m.id
    -- Of a cancelled one, those who wait are still to be written down as skipped.
    where m.status in ('sending', 'cancelled') and m.ended_at is null and m.kind = of_kind
      and coalesce(m.wait_until, '-infinity') < clock_timestamp()
  ), turns as (
    select o.*, sum(o.under_way) over w as workspace_under_way, max(o.served_at) over w as workspace_served_at
    from open o window w as (partition by o.workspace_id)
  ), next as materialized (
    -- In their order, so that no part is locked but the one that is claimed.
    select q.workspace_id, q.id, t.id as mailing_id
    from (
      select * from turns
      where turns.workspace_id <> all(full_ones)
      order by turns.status = 'cancelled', workspace_under_way, workspace_served_at nulls first, under_way,
        served_at nulls first, turns.id
    ) t
    cross join lateral (
      select s.workspace_id, s.id from send_parts s
      where s.workspace_id = t.workspace_id and s.mailing_id = t.id and s.status <> 'done'
        and coalesce(s.lease_until, '-infinity') < clock_timestamp() and s.id <> all(leave_out)
        and (s.not_before is null or s.not_before <= clock_timestamp() or t.status = 'cancelled')
      order by s.id limit 1
      for update skip locked
    ) q
    limit 1
  ), served as (
    update mailings m set served_at = clock_timestamp()
    from (
      -- Somebody who cancels it holds the mailing and waits for its parts.
      select l.workspace_id, l.id from mailings l
      where (l.workspace_id, l.id) in (select n.workspace_id, n.mailing_id from next n)
      for no key update skip locked
    ) free
    where m.workspace_id = free.workspace_id and m.id = free.id
  )
  update send_parts p
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from next
  where p.workspace_id = next.workspace_id and p.id = next.id
  returning p.workspace_id, p.id
$function$;
