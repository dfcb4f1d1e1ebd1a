-- A wish to leave has a row for each address of its reader, so that nothing is handed over to any
-- of them. They are found by the message that asked for it.
create index leave_wishes_send on leave_wishes (workspace_id, mailing_id, send_id) where done_at is null;

-- Of one person, also what is done: when they come back, and when they are erased.
create index leave_wishes_contact on leave_wishes (workspace_id, contact_id) where contact_id is not null;
create index leave_wishes_address on leave_wishes (workspace_id, domain, local);
create index address_requests_contact on address_requests (workspace_id, contact_id);

-- These contacts, and those that they were merged into.
create function with_merged_into(workspace bigint, contacts bigint[]) returns setof bigint
language sql stable parallel safe
as $$
  with recursive same (id) as (
    select unnest(contacts)
    union
    select m.kept_id from same s
    join merged_contacts x on x.workspace_id = workspace and x.contact_id = s.id
    join merges m on m.workspace_id = workspace and m.id = x.merge_id and m.undone_at is null
  )
  select id from same
$$;
