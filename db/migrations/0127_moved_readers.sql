-- The contact that had the address already when a reader confirmed it. What they ask for by older
-- messages holds there. Null: not confirmed, or their own contact got the address.
alter table address_requests add column to_contact_id bigint;
create index address_requests_to on address_requests (workspace_id, to_contact_id) where to_contact_id is not null;

update address_requests r set to_contact_id = c.id
from contacts o, contacts c
where r.done_at is not null
  and o.workspace_id = r.workspace_id and o.id = r.contact_id and o.domain = r.old_domain and o.local = r.old_local
  and c.workspace_id = r.workspace_id and c.domain = r.domain and c.local = r.local and c.state <> 2
  and c.id <> r.contact_id;

-- These contacts, and those by which their readers are mailed by now: what they were merged into,
-- and whoever has the address that a reader has confirmed.
create function contacts_by_now(workspace bigint, contacts bigint[]) returns setof bigint
language sql stable parallel safe
as $$
  with recursive same (id) as (
    select unnest(contacts)
    union
    select n.id from same s cross join lateral (
      select m.kept_id as id from merged_contacts x
      join merges m on m.workspace_id = workspace and m.id = x.merge_id and m.undone_at is null
      where x.workspace_id = workspace and x.contact_id = s.id
        -- One that is back from the bin is itself again. What its reader wishes holds for it alone.
        and not exists (select from contacts c where c.workspace_id = workspace and c.id = s.id)
      union all
      select r.to_contact_id from address_requests r
      where r.workspace_id = workspace and r.contact_id = s.id and r.to_contact_id is not null
      union all
      -- It may have left since, and come back as another.
      select c.id from address_requests r
      join contacts c on c.workspace_id = workspace and c.domain = r.domain and c.local = r.local and c.state <> 2
      where r.workspace_id = workspace and r.contact_id = s.id and r.to_contact_id is not null
    ) n
  )
  select id from same
$$;

-- Processes of an earlier version still call this while they are being replaced.
create or replace function with_merged_into(workspace bigint, contacts bigint[]) returns setof bigint
language sql stable parallel safe
as $$ select contacts_by_now(workspace, contacts) $$;
