-- How a workspace's messages look, blocks that it keeps for them, and test mails in the outbox.

-- owner: templates
create table template_brands (
  workspace_id bigint not null,
  -- Colours, font, corner and logo: what a document of the visual editor takes where it says
  -- nothing.
  brand jsonb not null,
  saved_at timestamptz not null default now(),
  saved_by bigint not null,
  primary key (workspace_id)
);

-- owner: templates
create table template_blocks (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null check (char_length(name) between 1 and 120),
  block jsonb not null,
  saved_at timestamptz not null default now(),
  saved_by bigint not null,
  primary key (workspace_id, id)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['template_brands', 'template_blocks'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;

-- The outbox is forgotten after 30 days, so this reads few rows.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check
  check (kind in ('invitation', 'password_reset', 'email_proof', 'notice', 'test'));
