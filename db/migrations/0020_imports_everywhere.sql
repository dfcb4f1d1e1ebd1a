-- The imports of all workspaces, for who looks after the installation. They are read as the owner, and give where each import is
-- and why it failed; its rows, samples and options stay in its workspace.

-- One page of the imports of all workspaces in these states, newest first.
create function imports_everywhere(states text[], skip bigint, take bigint)
returns table (
  workspace_id bigint, id bigint, file_name text, file_size bigint, status text, rows bigint, phase text, share float8,
  error text, started_by text, attempts integer, created_at timestamptz, started_at timestamptz, finished_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select i.workspace_id, i.id, i.file_name, i.file_size, i.status, coalesce(i.rows, (i.progress ->> 'rows')::bigint),
         i.progress ->> 'phase', (i.progress ->> 'share')::float8, i.error, u.name, i.attempts, i.created_at, i.started_at,
         i.finished_at
  from imports i left join users u on u.id = i.created_by::bigint
  where i.status = any(states)
  order by i.created_at desc, i.workspace_id, i.id desc offset skip limit take
$$;
revoke execute on function imports_everywhere(text[], bigint, bigint) from public;

-- How many imports of all workspaces are in each state.
create function import_counts_everywhere() returns table (status text, imports bigint)
language sql stable security definer set search_path = public, pg_temp
as $$ select i.status, count(*) from imports i group by i.status $$;
revoke execute on function import_counts_everywhere() from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant execute on function imports_everywhere(text[], bigint, bigint) to email_manager_app;
    grant execute on function import_counts_everywhere() to email_manager_app;
  end if;
end
$$;
