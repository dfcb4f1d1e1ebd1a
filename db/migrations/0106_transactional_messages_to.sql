-- The transactional messages of the workspace whose address begins with `beginning` (lower case),
-- of one call and in some states where these are given: the newest first, those before a place, at
-- most so many. It runs as the tables' owner, because under a policy PostgreSQL does not use an
-- index for an operator that is not leakproof, and LIKE is not. Therefore it reads the workspace
-- from the setting itself, and answers only ids.
create function transactional_messages_to(
  beginning text, of_batch bigint, in_states text[], before bigint, at_most integer
) returns setof bigint
language plpgsql stable security definer
set search_path = public, pg_temp
-- Few addresses begin with a whole name, and many with a letter: each takes its own plan.
set plan_cache_mode = force_custom_plan
rows 50
as $$
declare
  tenant bigint := current_workspace();
  pattern text := replace(replace(replace(beginning, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
    select t.id from transactional_messages t
    where t.workspace_id = tenant and lower(t.address) like pattern
      and (of_batch is null or t.mailing_id = of_batch)
      -- Looked up for one message after the other: a join would read the whole ledger first.
      and (in_states is null or (
        select s.state from sends s
        where s.workspace_id = t.workspace_id and s.mailing_id = t.mailing_id and s.id = t.send_id
      ) = any(in_states))
      and (before is null or t.id < before)
    order by t.id desc limit at_most;
end
$$;
