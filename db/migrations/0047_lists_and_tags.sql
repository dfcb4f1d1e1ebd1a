-- Lists and tags, and which contacts are on or have them. Only contacts that are there now stand in
-- list_members and contact_tags, so a count is their number, and no page meets one that is gone.

-- owner: lists
create table lists (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null check (char_length(name) between 1 and 120),
  description text,
  -- A dynamic list has no members. Its contacts follow from segment_rules.
  is_dynamic boolean not null default false,
  segment_rules jsonb,
  contact_count bigint not null default 0,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Deleted lists are kept for 30 days, for the undo.
  deleted_at timestamptz,
  primary key (workspace_id, id)
);

-- owner: lists
create table list_members (
  workspace_id bigint not null,
  list_id bigint not null,
  contact_id bigint not null,
  added_at timestamptz not null default now(),
  source text not null check (source in ('chosen', 'filter', 'pasted', 'api', 'import', 'merge')),
  -- The change, the import or the merge by this number, as the source says.
  source_id bigint not null,
  primary key (workspace_id, list_id, contact_id)
);
create index list_members_contact on list_members (workspace_id, contact_id);

-- owner: tags
create table tags (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null check (char_length(name) between 1 and 60),
  -- The name as it is compared.
  name_key text not null,
  color text not null check (color ~ '^#[0-9A-F]{6}$'),
  contact_count bigint not null default 0,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
create unique index tags_name on tags (workspace_id, name_key) where deleted_at is null;

-- owner: tags
create table contact_tags (
  workspace_id bigint not null,
  tag_id bigint not null,
  contact_id bigint not null,
  added_at timestamptz not null default now(),
  source text not null check (source in ('chosen', 'filter', 'pasted', 'api', 'import', 'merge')),
  source_id bigint not null,
  primary key (workspace_id, tag_id, contact_id)
);
create index contact_tags_contact on contact_tags (workspace_id, contact_id);

-- owner: memberships
-- One addition of contacts to a list or a tag, or one removal. It can be undone for 30 days.
create table membership_changes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('list', 'tag')),
  group_id bigint not null,
  is_removal boolean not null,
  contacts bigint not null default 0,
  -- Of an addition of few: which were added. The undo of many looks through the whole group.
  contact_ids bigint[],
  -- True while contacts are still being added or removed.
  is_open boolean not null default true,
  changed_by text,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone bigint not null default 0,
  primary key (workspace_id, id)
);

-- owner: memberships
-- What was taken out of list_members and contact_tags and may come back: with a contact from the
-- bin, or by the undo of a removal.
create table removed_memberships (
  workspace_id bigint not null,
  -- The removal. 0 while the contact is in the bin.
  change_id bigint not null,
  kind text not null check (kind in ('list', 'tag')),
  group_id bigint not null,
  contact_id bigint not null,
  added_at timestamptz not null,
  source text not null,
  source_id bigint not null,
  -- Of a contact in the bin: the removal that it is there with.
  removal_id bigint,
  primary key (workspace_id, change_id, kind, group_id, contact_id)
);
create index removed_memberships_binned on removed_memberships (workspace_id, contact_id) where change_id = 0;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'lists', 'list_members', 'tags', 'contact_tags', 'membership_changes', 'removed_memberships'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;
