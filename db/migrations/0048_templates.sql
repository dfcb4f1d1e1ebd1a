-- Reusable emails, with every version that was saved of them.

-- owner: templates
create table templates (
  workspace_id bigint not null,
  id bigint generated always as identity,
  -- The version that counts. Each change saves the next one.
  version integer not null default 1 check (version > 0),
  -- How often features that send have used it.
  used_count bigint not null default 0,
  created_at timestamptz not null default now(),
  -- Deleted templates are kept for 30 days, for the undo.
  deleted_at timestamptz,
  primary key (workspace_id, id)
);

-- owner: templates
create table template_versions (
  workspace_id bigint not null,
  template_id bigint not null,
  version integer not null check (version > 0),
  name text not null check (char_length(name) between 1 and 120),
  description text,
  category text not null,
  -- How people write it. In every mode but html, the HTML is made from `source`.
  mode text not null default 'html' check (mode in ('html', 'mjml', 'visual')),
  source jsonb,
  html_content text not null,
  -- Null: it is made from the HTML.
  text_content text,
  -- The older version whose content this is, where somebody went back to one.
  restored_from integer,
  saved_at timestamptz not null default clock_timestamp(),
  saved_by bigint not null,
  -- The API key that saved it in that person's name.
  saved_by_key text,
  primary key (workspace_id, template_id, version),
  check ((mode = 'html') = (source is null))
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['templates', 'template_versions'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;
