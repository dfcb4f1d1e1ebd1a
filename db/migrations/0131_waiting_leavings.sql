-- A reader who leaves a topic while an import adds to its list is taken off the list afterwards.
-- From the moment of leaving on, nothing of that list is handed over to them.
alter table topic_leavings add column is_waiting boolean not null default false;
create index topic_leavings_waiting on topic_leavings (workspace_id, id) where is_waiting;

create function workspaces_with_waiting_leavings() returns setof bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct t.workspace_id from topic_leavings t where t.is_waiting
$$;
