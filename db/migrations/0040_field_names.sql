-- Extra fields that people set on contacts themselves. Those that files brought are known from the
-- imports.

-- owner: contacts
create table contact_field_names (
  workspace_id bigint not null,
  name text not null,
  primary key (workspace_id, name)
);
alter table contact_field_names enable row level security;
create policy tenant on contact_field_names
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
