-- Extra fields that files brought are remembered by name when an import completes. Those of earlier
-- imports are taken from what the imports were told to keep, and from the first contacts of each.
-- How many contacts there are does not matter.
insert into contact_field_names (workspace_id, name)
select distinct workspace_id, name from (
  select i.workspace_id, substring(target from 7) as name
  from imports i
  cross join lateral jsonb_array_elements_text(
    case when jsonb_typeof(i.reading -> 'columns') = 'array' then i.reading -> 'columns' else '[]' end) target
  where i.status = 'completed' and i.last_contact_id is not null and target like 'extra:%'
  union all
  select i.workspace_id, key
  from imports i
  cross join lateral (
    select c.attributes from contacts c
    where c.workspace_id = i.workspace_id and c.id between i.first_contact_id and i.last_contact_id
    order by c.id limit 50
  ) brought
  cross join lateral jsonb_object_keys(
    case when jsonb_typeof(brought.attributes) = 'object' then brought.attributes else '{}' end) key
  where i.status = 'completed' and i.last_contact_id is not null
) known
where name <> ''
on conflict do nothing;
