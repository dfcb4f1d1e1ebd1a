-- As before, and a contact that is back from the bin leads no further: it is itself again, and
-- what its reader wishes holds for it alone.
create or replace function with_merged_into(workspace bigint, contacts bigint[]) returns setof bigint
language sql stable parallel safe
as $$
  with recursive same (id) as (
    select unnest(contacts)
    union
    select m.kept_id from same s
    join merged_contacts x on x.workspace_id = workspace and x.contact_id = s.id
    join merges m on m.workspace_id = workspace and m.id = x.merge_id and m.undone_at is null
    where not exists (select from contacts c where c.workspace_id = workspace and c.id = s.id)
  )
  select id from same
$$;
