-- What lists of activities and suppressions need to stay quick at any length, and an audit log that cannot be rewritten.

create index activities_newest on activities (workspace_id, created_at desc, id desc);

-- The policy for all commands gives way to two, so that changing or deleting a line finds nothing to work on; the rights go
-- too, so that trying is an error. A later blanket grant to the role would bring back the rights, but not the policies.
drop policy tenant on audit_log;
create policy tenant_reads on audit_log for select
  using (workspace_id = (select current_workspace()));
create policy tenant_adds on audit_log for insert
  with check (workspace_id = (select current_workspace()));
do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    revoke update, delete, truncate on audit_log from email_manager_app;
  end if;
end
$$;

-- owner: suppressions
-- Rollup: how long the address list is. Counting a million entries takes 100 ms.
create table suppression_counts (
  workspace_id bigint primary key,
  emails bigint not null default 0
) with (fillfactor = 50);
alter table suppression_counts enable row level security;
create policy tenant on suppression_counts
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
insert into suppression_counts (workspace_id, emails)
select workspace_id, count(*) from suppressions group by workspace_id;

-- At a million entries a rare text is found in 4 ms instead of 150. It makes adding a hundred thousand at once take 3.5 s
-- instead of 0.8; hardly anybody does, and everybody searches.
create index suppressions_trigrams on suppressions using gin ((local || '@' || domain) gin_trgm_ops);

-- The ids of one page of the entries that contain a text, newest first, each with the number of all of them; one row with
-- a null id when the page is empty. Runs as the owner, because under row-level security PostgreSQL would not use the trigram
-- index; so it reads the workspace from the setting itself and takes no other. Planned for the text at hand: a rare
-- one comes whole out of the trigram index, for a frequent one the newest entries are walked until the page is full.
create function search_suppressions(term text, skip bigint, take bigint)
returns table (id bigint, total bigint)
language plpgsql stable security definer
set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  workspace bigint := current_workspace();
  pattern text := contains_pattern(term);
  few bigint[];
  matches bigint;
begin
  select array_agg(s.id) into few from (
    select s.id from suppressions s
    where s.workspace_id = workspace and s.local || '@' || s.domain like pattern
    limit 10001
  ) s;
  matches := coalesce(cardinality(few), 0);
  if matches > 10000 then
    select count(*) into matches from suppressions s
    where s.workspace_id = workspace and s.local || '@' || s.domain like pattern;
    return query
      select s.id, matches from suppressions s
      where s.workspace_id = workspace and s.local || '@' || s.domain like pattern
      order by s.id desc offset skip limit take;
  else
    return query
      select one, matches from unnest(few) one order by one desc offset skip limit take;
  end if;
  if skip >= matches then
    return query select null::bigint, matches;
  end if;
end
$$;
