-- A hash keeps the bounce of its address when a reason comes that weighs more, as an entry does.
-- Receipts would otherwise go to a mailbox that is not there.
alter table suppression_hashes add column refuses_all boolean default false not null;

drop function hashed_suppressions(text, text);

-- The hashed entries of one address, at most one of each kind. As the owner, because row-level
-- security would keep PostgreSQL from looking the hashes up in the index.
create function hashed_suppressions(local text, domain text)
returns table (kind text, hash bytea, reason text, refuses_all boolean, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
rows 1
as $$
  select h.kind, h.hash, h.reason, h.refuses_all, h.created_at
  from unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind)
  cross join lateral (
    select address_hash(any_kind.kind, $1, $2, (select k.key from suppression_keys k where k.workspace_id = current_workspace())) as hash
  ) own
  join suppression_hashes h
    on h.workspace_id = current_workspace() and h.kind = any_kind.kind and h.hash = own.hash
$$;

-- As before, and a hash tells of a bounce behind its reason.
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
    insert into suppressions (workspace_id, local, domain, reason, refuses_all, note, created_at)
    select tenant, local, domain, reason, bounced and not holds_for_every_message(reason), 'Known from a hashed list', since
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
