-- The kept messages of the workspace whose recipient begins with `beginning` (lower case): the
-- newest first, those before a place, at most so many. It runs as the tables' owner, because under
-- a policy PostgreSQL does not use an index for an operator that is not leakproof, and LIKE is not.
-- Therefore it reads the workspace from the setting itself, and answers only ids.
create function kept_messages_to(beginning text, before bigint, at_most integer) returns setof bigint
language plpgsql stable security definer
set search_path = public, pg_temp
-- Few recipients begin with a whole name, and many with a letter: each takes its own plan.
set plan_cache_mode = force_custom_plan
rows 50
as $$
declare
  tenant bigint := current_workspace();
  pattern text := replace(replace(replace(beginning, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
    select o.id from outbox_messages o
    where o.workspace_id = tenant and lower(o.recipient) like pattern and (before is null or o.id < before)
    order by o.id desc limit at_most;
end
$$;
