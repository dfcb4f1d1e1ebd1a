-- Campaigns as people write them. What is sent is their mailing, which keeps a copy of its own.
-- owner: campaigns
create table campaigns (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  subject text not null,
  preheader text not null default '',
  -- HTML, or plain text that is put into the template.
  content text not null,
  text_content text,
  template text not null,
  -- The template of the workspace that it began with.
  template_id bigint,
  -- Null: as the settings say.
  from_name text,
  from_address text,
  reply_to text,
  tracks_opens boolean not null default true,
  tracks_clicks boolean not null default true,
  -- {include: [{list: 3}, {tag: 4}], exclude: […]}. Nothing included: everybody who may be mailed.
  audience jsonb not null default '{"include": [], "exclude": []}',
  -- draft, or scheduled until `send_at`. Sent: its mailing says where it stands.
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'sent')),
  send_at timestamptz,
  -- Why a schedule was not kept. It then waits for somebody.
  notice text,
  mailing_id bigint,
  sent_at timestamptz,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
create index campaigns_due on campaigns (workspace_id, send_at) where status = 'scheduled' and deleted_at is null;
create index campaigns_mailing on campaigns (workspace_id, mailing_id) where mailing_id is not null;
alter table campaigns enable row level security;
create policy tenant on campaigns
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
