-- What a screen shows, kept under a name, and what each person chose of it.

-- owner: views
create table saved_views (
  workspace_id bigint not null,
  id bigint generated always as identity,
  screen text not null check (screen in ('contacts')),
  -- Who made it: the one person who sees it unless it is shared.
  owner_id bigint not null,
  name text not null check (char_length(name) between 1 and 80),
  shared boolean not null default false,
  -- Search, filters, order and columns by their names in the screen's address. What a later version writes, an earlier one skips.
  state jsonb not null check (jsonb_typeof(state) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Deleted views are kept for a day, for the undo.
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
-- Names are one's own, and of shared views the workspace's.
create unique index saved_views_own_name on saved_views (workspace_id, screen, owner_id, lower(name))
  where not shared and deleted_at is null;
create unique index saved_views_shared_name on saved_views (workspace_id, screen, lower(name))
  where shared and deleted_at is null;
alter table saved_views enable row level security;
create policy tenant on saved_views
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- owner: views
create table view_choices (
  workspace_id bigint not null,
  user_id bigint not null,
  screen text not null check (screen in ('contacts')),
  -- Opens first. It may have been deleted, or be shared no longer; then none does.
  default_view_id bigint,
  -- Null: the usual ones.
  columns text[],
  primary key (workspace_id, user_id, screen)
);
alter table view_choices enable row level security;
create policy tenant on view_choices
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
