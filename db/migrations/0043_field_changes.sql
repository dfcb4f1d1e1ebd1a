-- One value set in a field of many contacts at once, and what stood there before, so that it can be
-- undone.

-- owner: field-changes
create table field_changes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  -- What was asked for: {"set": {"notes": "…"}, "onlyEmpty": false} or {"splitNames": true}.
  what jsonb not null,
  contacts bigint not null default 0,
  -- True while contacts are still being changed.
  is_open boolean not null default true,
  changed_by text,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone bigint not null default 0,
  primary key (workspace_id, id)
);

-- owner: field-changes
-- One row a contact until the change is undone or too old. `before` is the change that puts the
-- contact's fields back, `after` what stood there when it was made: fields that differ now are
-- somebody's later change.
create table changed_contacts (
  workspace_id bigint not null,
  change_id bigint not null,
  contact_id bigint not null,
  before jsonb not null,
  after jsonb not null,
  -- The contact's `changed_at` before and after. An import that is undone leaves changed contacts
  -- alone, so an undone change must leave no trace in it.
  changed_before timestamptz,
  changed_at timestamptz not null default now(),
  primary key (workspace_id, change_id, contact_id)
);
create index changed_contacts_contact on changed_contacts (workspace_id, contact_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['field_changes', 'changed_contacts'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;
