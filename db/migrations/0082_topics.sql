-- Lists that readers choose themselves on the preference page, and who has left one there.

alter table lists
  add column is_public boolean not null default false,
  add column public_name text,
  add column public_description text,
  -- A list that fills itself by rules cannot be joined or left.
  add constraint lists_public_check check (not (is_public and is_dynamic));

alter table list_members drop constraint list_members_source_check;
alter table list_members add constraint list_members_source_check
  check (source in ('chosen', 'filter', 'pasted', 'api', 'import', 'merge', 'preferences'));

-- That the reader with this address has left a topic. While `ended_at` is null, nobody but the
-- reader puts them back on it. It holds for the address, as an entry of the suppression list does.
-- owner: lists
create table topic_leavings (
  workspace_id bigint not null,
  id bigint generated always as identity,
  list_id bigint not null,
  domain text collate "C" not null,
  local text collate "C" not null,
  contact_id bigint not null,
  mailing_id bigint not null,
  left_at timestamptz not null default now(),
  -- When they chose the topic again.
  ended_at timestamptz,
  primary key (workspace_id, id)
);
create unique index topic_leavings_open on topic_leavings (workspace_id, list_id, domain, local)
  where ended_at is null;
create index topic_leavings_contact on topic_leavings (workspace_id, contact_id);
create index topic_leavings_address on topic_leavings (workspace_id, domain, local);
alter table topic_leavings enable row level security;
create policy tenant on topic_leavings
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- How many contacts of a file were not put on its list, because they had left it themselves.
alter table imports add column left_topics bigint;
