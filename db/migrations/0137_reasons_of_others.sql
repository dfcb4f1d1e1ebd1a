-- Others than the owner of an address, who has left, have reasons for it too. Then the owner cannot
-- take the leaving back. Only set where the entry is the owner's alone otherwise.
lock table suppressions, lifted_suppressions in access exclusive mode;
alter table suppressions add column by_others boolean not null default false;
alter table lifted_suppressions add column by_others boolean not null default false;

-- As in 0124, but what a hash puts on the list is not its owner's.
create or replace function suppress_hashed_contacts(first_id bigint, last_id bigint) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  tenant bigint := current_workspace();
  added bigint;
begin
  if tenant is null or not exists (select from suppression_hashes h where h.workspace_id = tenant) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(7201, (tenant % 2147483647)::integer);
  with own as materialized (
    select c.domain, c.local, any_kind.kind, address_hash(any_kind.kind, c.local, c.domain, k.key) as hash
    from contacts c
    cross join unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind)
    left join suppression_keys k on k.workspace_id = c.workspace_id
    where c.workspace_id = tenant and c.id between first_id and last_id and c.domain <> ''
      and exists (select from suppression_hashes h where h.workspace_id = tenant and h.kind = any_kind.kind)
  ),
  given as materialized (
    select own.domain, own.local, bool_or(h.reason = 'bounced' or h.refuses_all) as bounced, min(h.created_at) as since,
      (array_agg(h.reason order by reason_weight(h.reason) desc, h.created_at))[1] as reason
    from own join suppression_hashes h on h.workspace_id = tenant and h.kind = own.kind and h.hash = own.hash
    group by own.domain, own.local
  ),
  made as (
    insert into suppressions (workspace_id, local, domain, reason, refuses_all, note, created_at, by_others)
    select tenant, local, domain, reason, bounced and not holds_for_every_message(reason), 'Known from a hashed list', since,
      true
    from given order by domain, local
    on conflict (workspace_id, domain, local) do nothing
    returning reason
  ),
  raised as (
    update suppressions t
    set (reason, refuses_all, note) = (
      select n.next_reason, n.next_refuses_all, n.next_note
      from entry_given(t.reason, t.refuses_all, t.note, g.reason, 'Known from a hashed list', g.bounced, 'Known from a hashed list') n)
    from given g
    where t.workspace_id = tenant and t.domain = g.domain and t.local = g.local
      and (t.reason, t.refuses_all) <> (
        select n.next_reason, n.next_refuses_all
        from entry_given(t.reason, t.refuses_all, null, g.reason, null, g.bounced, null) n)
    returning old.reason as was, new.reason as now
  ),
  counted as (
    insert into suppression_counts as c (workspace_id, list, part, entries)
    select tenant, 'email', part, sum(change)
    from (
      select reason as part, 1 as change from made
      union all select was, -1 from raised union all select now, 1 from raised
    ) changes
    group by part having sum(change) <> 0 order by part
    on conflict (workspace_id, list, part) do update set entries = c.entries + excluded.entries
  )
  select count(*) into added from made;
  return added;
end
$$;
