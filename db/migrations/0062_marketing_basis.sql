-- On what legal basis each contact may get marketing, where that is known. Only contacts that are there now
-- stand in contact_bases, so the counts are the number of its rows.

-- One statement about one or many contacts: what was said, by whom, and from where it comes.
-- owner: basis
create table basis_changes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  how text not null check (how in ('hand', 'api', 'bulk', 'import', 'merge')),
  -- As in contact_bases. Null: a file said it for each of its contacts.
  basis smallint check (basis between 0 and 4),
  -- In words: "Spring fair 2024 sign-up sheet".
  source text,
  -- The day it was given. May be long before it was recorded.
  given_on date,
  -- The import or the merge by this number.
  source_id bigint,
  contacts bigint not null default 0,
  -- True while contacts are still being changed.
  is_open boolean not null default true,
  changed_by text,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone bigint not null default 0,
  primary key (workspace_id, id)
);
create index basis_changes_merge on basis_changes (workspace_id, source_id) where how = 'merge';
create index basis_changes_many on basis_changes (workspace_id, id) where how = 'bulk';

-- What is said of a contact now. A contact without a row is unknown.
-- owner: basis
create table contact_bases (
  workspace_id bigint not null,
  contact_id bigint not null,
  -- 0 unknown, 1 consent, 2 soft opt-in, 3 corporate subscriber, 4 none
  basis smallint not null check (basis between 0 and 4),
  given_on date,
  change_id bigint not null,
  primary key (workspace_id, contact_id)
);
create index contact_bases_basis on contact_bases (workspace_id, basis, contact_id);
create index contact_bases_change on contact_bases (workspace_id, change_id, contact_id);

-- What was said before, until the contact is forgotten. replaced_by: the change that came after it,
-- or 0 for what was last said of a contact that is in the bin.
-- owner: basis
create table former_bases (
  workspace_id bigint not null,
  replaced_by bigint not null,
  contact_id bigint not null,
  basis smallint not null,
  given_on date,
  change_id bigint not null,
  primary key (workspace_id, replaced_by, contact_id)
);
create index former_bases_contact on former_bases (workspace_id, contact_id);
create index former_bases_change on former_bases (workspace_id, change_id, contact_id);

-- How many contacts have each basis. Whoever changes any of them locks this row first.
-- owner: basis
create table basis_counts (
  workspace_id bigint primary key,
  consent bigint not null default 0,
  soft_opt_in bigint not null default 0,
  corporate_subscriber bigint not null default 0,
  no_basis bigint not null default 0
);

-- Which contacts a workspace mails. One without a row has not chosen.
-- owner: basis
create table basis_settings (
  workspace_id bigint primary key,
  -- The numbers of contact_bases.
  mailable smallint[] not null
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['basis_changes', 'contact_bases', 'former_bases', 'basis_counts', 'basis_settings'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;
