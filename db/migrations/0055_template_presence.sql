-- Who has a template open in the editor at this moment, one row for each window. In the database, so that it holds for all
-- processes together. Unlogged: after a crash it is empty, and each open window says again within seconds that it is there.
-- owner: templates
create unlogged table template_presence (
  workspace_id bigint not null,
  template_id bigint not null,
  user_id bigint not null,
  -- The browser's own name for its window.
  window_id text not null,
  -- Somebody looks at another window or tab meanwhile.
  is_hidden boolean not null,
  -- A window that is not heard of again until then counts as closed.
  expires_at timestamptz not null,
  primary key (workspace_id, template_id, user_id, window_id)
) with (fillfactor = 50);
alter table template_presence enable row level security;
create policy tenant on template_presence
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
