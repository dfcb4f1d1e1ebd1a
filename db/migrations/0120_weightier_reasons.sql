-- What an entry of the suppression list says once its address has given another reason. One rule
-- for every way that a reason comes: it must not depend on the order in which they came.

-- How much a reason asks of whoever would lift the entry: nothing where it is the business's own or
-- the mail server's, fresh consent where it is the person's.
create function reason_weight(reason text) returns integer language sql immutable parallel safe
return case reason when 'unsubscribed' then 1 when 'complained' then 2 when 'erased' then 3 else 0 end;

-- Unsubscribing is from marketing alone, and what the business does by hand is too.
create function holds_for_every_message(reason text) returns boolean language sql immutable parallel safe
return reason in ('bounced', 'complained', 'erased');

-- The entry (reason, refuses_all, note) after the weightiest reason that was given for its address,
-- `given`, and a bounce, if there was one.
create function entry_given(
  reason text, refuses_all boolean, note text, given text, given_note text, bounced boolean, bounced_note text
) returns table (next_reason text, next_refuses_all boolean, next_note text)
language sql immutable parallel safe rows 1
as $$
  select n.reason,
    refuses_all or (bounced or entry_given.reason = 'bounced') and not holds_for_every_message(n.reason),
    case
      when n.reason <> entry_given.reason
        then concat_ws('. ', given_note, concat_ws(', ', 'On the list before: ' || entry_given.reason, note),
          case when bounced then concat_ws(': ', 'Bounced since', bounced_note) end)
      else concat_ws('. ', note, concat_ws(': ', 'Bounced since', bounced_note))
    end
  from (
    select case when reason_weight(given) > reason_weight(entry_given.reason) then given else entry_given.reason end as reason
  ) n
$$;

-- As before, and contacts that have an entry already: it says from now on what the hash says.
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
    select own.domain, own.local, bool_or(h.reason = 'bounced') as bounced, min(h.created_at) as since,
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
