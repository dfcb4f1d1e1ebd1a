-- Written by `npm run db:schema` from db/migrations. Do not edit: write a migration.

create extension pg_trgm;
create extension pgcrypto;

create table accounts (
  id bigint generated always as identity,
  user_id bigint not null,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_provider_id_account_id_key UNIQUE (provider_id, account_id),
  constraint accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX accounts_user_id ON public.accounts USING btree (user_id);
grant delete, insert, select, update on accounts to email_manager_app;

create table activities (
  workspace_id bigint not null,
  id bigint generated always as identity,
  action text not null,
  details text not null,
  status text not null,
  icon text not null,
  icon_color text not null,
  actor text,
  subject text,
  created_at timestamp with time zone default now() not null,
  link text,
  notify boolean default false not null,
  constraint activities_pkey PRIMARY KEY (workspace_id, id),
  constraint activities_icon_color_check CHECK ((icon_color = ANY (ARRAY['primary'::text, 'error'::text, 'warning'::text, 'accent'::text, 'success'::text])))
);
CREATE INDEX activities_action ON public.activities USING btree (workspace_id, action);
CREATE INDEX activities_actor ON public.activities USING btree (workspace_id, actor) WHERE (actor IS NOT NULL);
CREATE INDEX activities_newest ON public.activities USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX activities_notices ON public.activities USING btree (workspace_id, created_at DESC, id DESC) WHERE notify;
CREATE UNIQUE INDEX activities_subject ON public.activities USING btree (workspace_id, subject) WHERE (subject IS NOT NULL);
alter table activities enable row level security;
create policy tenant on activities for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on activities to email_manager_app;

create table address_requests (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  contact_id bigint not null,
  old_local text collate "C" not null,
  old_domain text collate "C" not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  asked_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  to_contact_id bigint,
  constraint address_requests_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX address_requests_contact ON public.address_requests USING btree (workspace_id, contact_id);
CREATE INDEX address_requests_new ON public.address_requests USING btree (workspace_id, domain, local);
CREATE INDEX address_requests_old ON public.address_requests USING btree (workspace_id, old_domain, old_local);
CREATE INDEX address_requests_send ON public.address_requests USING btree (workspace_id, mailing_id, send_id);
CREATE INDEX address_requests_to ON public.address_requests USING btree (workspace_id, to_contact_id) WHERE (to_contact_id IS NOT NULL);
alter table address_requests enable row level security;
create policy tenant on address_requests for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on address_requests to email_manager_app;

create table admin_actions (
  id bigint generated always as identity,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint admin_actions_pkey PRIMARY KEY (id)
);
grant insert, select on admin_actions to email_manager_app;

create unlogged table api_key_uses (
  workspace_id bigint not null,
  key_id bigint not null,
  window_start timestamp with time zone not null,
  count integer not null,
  constraint api_key_uses_pkey PRIMARY KEY (workspace_id, key_id)
);
alter table api_key_uses enable row level security;
create policy tenant on api_key_uses for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on api_key_uses to email_manager_app;

create table api_keys (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  prefix text not null,
  hash bytea not null,
  scopes text[] not null,
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  last_used_at timestamp with time zone,
  holder_id bigint,
  constraint api_keys_pkey PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX api_keys_hash ON public.api_keys USING btree (workspace_id, hash);
alter table api_keys enable row level security;
create policy tenant on api_keys for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on api_keys to email_manager_app;

create table audit_log (
  workspace_id bigint not null,
  id bigint generated always as identity,
  actor text,
  action text not null,
  subject text not null,
  details jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint audit_log_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_log_subject ON public.audit_log USING btree (workspace_id, subject, id);
alter table audit_log enable row level security;
create policy tenant_adds on audit_log for insert to public with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
create policy tenant_reads on audit_log for select to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant insert, select on audit_log to email_manager_app;

create table basis_changes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  how text not null,
  basis smallint,
  source text,
  given_on date,
  source_id bigint,
  contacts bigint default 0 not null,
  is_open boolean default true not null,
  changed_by text,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  undone bigint default 0 not null,
  constraint basis_changes_pkey PRIMARY KEY (workspace_id, id),
  constraint basis_changes_basis_check CHECK (((basis >= 0) AND (basis <= 4))),
  constraint basis_changes_how_check CHECK ((how = ANY (ARRAY['hand'::text, 'api'::text, 'bulk'::text, 'import'::text, 'merge'::text])))
);
CREATE INDEX basis_changes_import ON public.basis_changes USING btree (workspace_id, source_id, basis, COALESCE(source, ''::text)) WHERE (how = 'import'::text);
CREATE INDEX basis_changes_in_force ON public.basis_changes USING btree (workspace_id, source_id, id) WHERE ((how = 'import'::text) AND (undone_at IS NULL));
CREATE INDEX basis_changes_many ON public.basis_changes USING btree (workspace_id, id) WHERE (how = 'bulk'::text);
CREATE INDEX basis_changes_merge ON public.basis_changes USING btree (workspace_id, source_id) WHERE (how = 'merge'::text);
alter table basis_changes enable row level security;
create policy tenant on basis_changes for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on basis_changes to email_manager_app;

create table basis_counts (
  workspace_id bigint not null,
  consent bigint default 0 not null,
  soft_opt_in bigint default 0 not null,
  corporate_subscriber bigint default 0 not null,
  no_basis bigint default 0 not null,
  constraint basis_counts_pkey PRIMARY KEY (workspace_id)
);
alter table basis_counts enable row level security;
create policy tenant on basis_counts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on basis_counts to email_manager_app;

create table basis_settings (
  workspace_id bigint not null,
  mailable smallint[] not null,
  constraint basis_settings_pkey PRIMARY KEY (workspace_id)
);
alter table basis_settings enable row level security;
create policy tenant on basis_settings for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on basis_settings to email_manager_app;

create table bounce_calls (
  workspace_id bigint not null,
  provider text not null,
  digest bytea not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint bounce_calls_pkey PRIMARY KEY (workspace_id, provider, digest)
);
CREATE INDEX bounce_calls_at ON public.bounce_calls USING btree (workspace_id, at);
alter table bounce_calls enable row level security;
create policy tenant on bounce_calls for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on bounce_calls to email_manager_app;

create table bounce_mails (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  sender text not null,
  subject text not null,
  text text not null,
  source text not null,
  digest bytea not null,
  received_at timestamp with time zone default clock_timestamp() not null,
  read_as text,
  read_by text,
  read_at timestamp with time zone,
  contact_id bigint,
  local text collate "C",
  domain text collate "C",
  sender_key text collate "C" generated always as (lower(sender)) stored,
  constraint bounce_mails_pkey PRIMARY KEY (workspace_id, id),
  constraint bounce_mails_read_as_check CHECK ((read_as = ANY (ARRAY['hard'::text, 'soft'::text, 'complaint'::text, 'no_bounce'::text])))
);
CREATE INDEX bounce_mails_address ON public.bounce_mails USING btree (workspace_id, domain, local) WHERE (domain IS NOT NULL);
CREATE INDEX bounce_mails_contact ON public.bounce_mails USING btree (workspace_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE UNIQUE INDEX bounce_mails_once ON public.bounce_mails USING btree (workspace_id, mailing_id, send_id, digest);
CREATE INDEX bounce_mails_open ON public.bounce_mails USING btree (workspace_id, id) WHERE (read_as IS NULL);
CREATE INDEX bounce_mails_sender ON public.bounce_mails USING btree (workspace_id, sender_key);
alter table bounce_mails enable row level security;
create policy tenant on bounce_mails for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on bounce_mails to email_manager_app;

create table bounce_webhooks (
  workspace_id bigint not null,
  provider text not null,
  is_on boolean default true not null,
  version integer default 1 not null,
  secret text,
  topic text,
  last_call_at timestamp with time zone,
  calls bigint default 0 not null,
  events bigint default 0 not null,
  found bigint default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint bounce_webhooks_pkey PRIMARY KEY (workspace_id, provider)
);
alter table bounce_webhooks enable row level security;
create policy tenant on bounce_webhooks for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on bounce_webhooks to email_manager_app;

create table bounces (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  contact_id bigint,
  local text collate "C" not null,
  domain text collate "C" not null,
  event text not null,
  class text not null,
  kind text not null,
  fault text not null,
  source text not null,
  said text not null,
  counts boolean not null,
  has_suppressed boolean default false not null,
  is_due boolean not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint bounces_pkey PRIMARY KEY (workspace_id, id),
  constraint bounces_class_check CHECK ((class = ANY (ARRAY['hard'::text, 'soft'::text, 'complaint'::text]))),
  constraint bounces_event_check CHECK ((event = ANY (ARRAY['bounce'::text, 'complaint'::text]))),
  constraint bounces_fault_check CHECK ((fault = ANY (ARRAY['address'::text, 'sender'::text, 'server'::text])))
);
CREATE INDEX bounces_address ON public.bounces USING btree (workspace_id, domain, local, id);
CREATE INDEX bounces_contact ON public.bounces USING btree (workspace_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX bounces_due ON public.bounces USING btree (workspace_id, id) WHERE is_due;
CREATE INDEX bounces_due_complaints ON public.bounces USING btree (workspace_id, contact_id) WHERE (is_due AND (class = 'complaint'::text));
CREATE UNIQUE INDEX bounces_send ON public.bounces USING btree (workspace_id, mailing_id, send_id, event);
alter table bounces enable row level security;
create policy tenant on bounces for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on bounces to email_manager_app;

create table campaign_breakdowns (
  workspace_id bigint not null,
  campaign_id bigint not null,
  counted_at timestamp with time zone,
  took_ms bigint default 0 not null,
  claimed_until timestamp with time zone,
  figures jsonb,
  constraint campaign_breakdowns_pkey PRIMARY KEY (workspace_id, campaign_id)
);
alter table campaign_breakdowns enable row level security;
create policy tenant on campaign_breakdowns for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on campaign_breakdowns to email_manager_app;

create table campaigns (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  subject text not null,
  preheader text default ''::text not null,
  content text not null,
  text_content text,
  template text not null,
  template_id bigint,
  from_name text,
  from_address text,
  reply_to text,
  tracks_opens boolean default true not null,
  tracks_clicks boolean default true not null,
  audience jsonb default '{"exclude": [], "include": []}'::jsonb not null,
  status text default 'draft'::text not null,
  send_at timestamp with time zone,
  notice text,
  mailing_id bigint,
  sent_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  archived_at timestamp with time zone,
  deleted_at timestamp with time zone,
  document jsonb,
  mjml text,
  utm jsonb,
  spread_hours smallint,
  ab_test jsonb,
  by_recipient_zone boolean default false not null,
  image_tokens text[] generated always as (image_tokens_in(((((((content || ' '::text) || COALESCE((document)::text, ''::text)) || ' '::text) || COALESCE(mjml, ''::text)) || ' '::text) || COALESCE((ab_test)::text, ''::text)))) stored not null,
  ab_test_in_lists jsonb generated always as (test_without_content(ab_test)) stored,
  scheduled_at timestamp with time zone,
  constraint campaigns_pkey PRIMARY KEY (workspace_id, id),
  constraint campaigns_check CHECK (((document IS NULL) OR (mjml IS NULL))),
  constraint campaigns_spread_hours_check CHECK (((spread_hours >= 1) AND (spread_hours <= 72))),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sent'::text])))
);
CREATE INDEX campaigns_due ON public.campaigns USING btree (workspace_id, send_at) WHERE ((status = 'scheduled'::text) AND (deleted_at IS NULL));
CREATE INDEX campaigns_mailing ON public.campaigns USING btree (workspace_id, mailing_id) WHERE (mailing_id IS NOT NULL);
alter table campaigns enable row level security;
create policy tenant on campaigns for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on campaigns to email_manager_app;

create table changed_contacts (
  workspace_id bigint not null,
  change_id bigint not null,
  contact_id bigint not null,
  before jsonb not null,
  after jsonb not null,
  changed_before timestamp with time zone,
  changed_at timestamp with time zone default now() not null,
  constraint changed_contacts_pkey PRIMARY KEY (workspace_id, change_id, contact_id)
);
CREATE INDEX changed_contacts_contact ON public.changed_contacts USING btree (workspace_id, contact_id);
alter table changed_contacts enable row level security;
create policy tenant on changed_contacts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on changed_contacts to email_manager_app;

create table contact_bases (
  workspace_id bigint not null,
  contact_id bigint not null,
  basis smallint not null,
  given_on date,
  change_id bigint not null,
  constraint contact_bases_pkey PRIMARY KEY (workspace_id, contact_id),
  constraint contact_bases_basis_check CHECK (((basis >= 0) AND (basis <= 4)))
);
CREATE INDEX contact_bases_basis ON public.contact_bases USING btree (workspace_id, basis, contact_id);
CREATE INDEX contact_bases_change ON public.contact_bases USING btree (workspace_id, change_id, contact_id);
alter table contact_bases enable row level security;
create policy tenant on contact_bases for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_bases to email_manager_app;

create table contact_counts (
  workspace_id bigint not null,
  active bigint default 0 not null,
  suppressed bigint default 0 not null,
  invalid bigint default 0 not null,
  duplicate bigint default 0 not null,
  domains bigint default 0 not null,
  active_before_import bigint,
  updated_at timestamp with time zone default now() not null,
  constraint contact_counts_pkey PRIMARY KEY (workspace_id)
);
alter table contact_counts enable row level security;
create policy tenant on contact_counts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_counts to email_manager_app;

create table contact_counts_daily (
  workspace_id bigint not null,
  day date not null,
  active bigint not null,
  suppressed bigint not null,
  invalid bigint not null,
  domains bigint not null,
  constraint contact_counts_daily_pkey PRIMARY KEY (workspace_id, day)
);
alter table contact_counts_daily enable row level security;
create policy tenant on contact_counts_daily for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_counts_daily to email_manager_app;

create table contact_domains (
  workspace_id bigint not null,
  domain text collate "C" not null,
  valid bigint default 0 not null,
  invalid bigint default 0 not null,
  duplicate bigint default 0 not null,
  valid_suppressed bigint default 0 not null,
  invalid_suppressed bigint default 0 not null,
  duplicate_suppressed bigint default 0 not null,
  blocked boolean default false not null,
  constraint contact_domains_pkey PRIMARY KEY (workspace_id, domain)
);
CREATE INDEX contact_domains_blocked ON public.contact_domains USING btree (workspace_id, domain) WHERE blocked;
alter table contact_domains enable row level security;
create policy tenant on contact_domains for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_domains to email_manager_app;

create table contact_field_names (
  workspace_id bigint not null,
  name text not null,
  used_at timestamp with time zone default now() not null,
  constraint contact_field_names_pkey PRIMARY KEY (workspace_id, name)
);
alter table contact_field_names enable row level security;
create policy tenant on contact_field_names for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_field_names to email_manager_app;

create table contact_mailboxes (
  workspace_id bigint not null,
  contact_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  constraint contact_mailboxes_pkey PRIMARY KEY (workspace_id, contact_id)
);
CREATE INDEX contact_mailboxes_mailbox ON public.contact_mailboxes USING btree (workspace_id, domain, local, contact_id);
alter table contact_mailboxes enable row level security;
create policy tenant on contact_mailboxes for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_mailboxes to email_manager_app;

create table contact_search (
  workspace_id bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  addresses text collate "C" not null,
  lot real default random() not null
);
CREATE INDEX contact_search_lots ON public.contact_search USING btree (workspace_id, lot);
CREATE INDEX contact_search_range ON public.contact_search USING btree (workspace_id, first_id);
CREATE INDEX contact_search_trigrams ON public.contact_search USING gin (search_text(addresses) gin_trgm_ops);
alter table contact_search enable row level security;
create policy tenant on contact_search for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_search to email_manager_app;

create table contact_search_recent (
  workspace_id bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  addresses text collate "C" not null
);
CREATE INDEX contact_search_recent_range ON public.contact_search_recent USING btree (workspace_id, first_id);
alter table contact_search_recent enable row level security;
create policy tenant on contact_search_recent for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_search_recent to email_manager_app;

create table contact_suggestions (
  workspace_id bigint not null,
  contact_id bigint not null,
  from_domain text collate "C" not null,
  to_domain text collate "C" not null,
  to_local text collate "C" not null,
  constraint contact_suggestions_pkey PRIMARY KEY (workspace_id, contact_id)
);
CREATE INDEX contact_suggestions_pattern ON public.contact_suggestions USING btree (workspace_id, from_domain, to_domain, contact_id);
alter table contact_suggestions enable row level security;
create policy tenant on contact_suggestions for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_suggestions to email_manager_app;

create table contact_tags (
  workspace_id bigint not null,
  tag_id bigint not null,
  contact_id bigint not null,
  added_at timestamp with time zone default now() not null,
  source text not null,
  source_id bigint not null,
  constraint contact_tags_pkey PRIMARY KEY (workspace_id, tag_id, contact_id),
  constraint contact_tags_source_check CHECK ((source = ANY (ARRAY['chosen'::text, 'filter'::text, 'pasted'::text, 'api'::text, 'import'::text, 'merge'::text])))
);
CREATE INDEX contact_tags_contact ON public.contact_tags USING hash (contact_id);
alter table contact_tags enable row level security;
create policy tenant on contact_tags for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_tags to email_manager_app;

create table contact_verifications (
  workspace_id bigint not null,
  contact_id bigint not null,
  profile_id integer not null,
  checked_at timestamp with time zone not null,
  constraint contact_verifications_pkey PRIMARY KEY (workspace_id, contact_id)
);
CREATE INDEX contact_verifications_profile ON public.contact_verifications USING btree (workspace_id, profile_id, contact_id);
alter table contact_verifications enable row level security;
create policy tenant on contact_verifications for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contact_verifications to email_manager_app;

create table contacts (
  workspace_id bigint not null,
  id bigint generated always as identity,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint default 0 not null,
  name text,
  source text,
  date text,
  attributes jsonb,
  notes text,
  import_id bigint,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone,
  restored_from bigint,
  first_name text,
  last_name text,
  restored_at timestamp with time zone,
  constraint contacts_pkey PRIMARY KEY (workspace_id, id),
  constraint contacts_state_check CHECK ((state = ANY (ARRAY[0, 1, 2])))
);
CREATE INDEX contacts_by_hand ON public.contacts USING btree (workspace_id, ((- id))) WHERE (import_id IS NULL);
CREATE INDEX contacts_copies ON public.contacts USING btree (workspace_id, domain, local) WHERE (state = 2);
CREATE UNIQUE INDEX contacts_identity ON public.contacts USING btree (workspace_id, domain, local) WHERE (state <> 2);
CREATE INDEX contacts_not_valid ON public.contacts USING btree (workspace_id, state, id) WHERE (state <> 0);
CREATE INDEX contacts_source ON public.contacts USING btree (workspace_id, source) WHERE (source IS NOT NULL);
alter table contacts enable row level security;
create policy tenant on contacts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on contacts to email_manager_app;

create table corrected_contacts (
  workspace_id bigint not null,
  correction_id bigint not null,
  contact_id bigint not null,
  old_local text collate "C" not null,
  old_domain text collate "C" not null,
  old_address text,
  old_state smallint not null,
  new_local text collate "C" not null,
  new_domain text collate "C" not null,
  undone_at timestamp with time zone,
  constraint corrected_contacts_pkey PRIMARY KEY (workspace_id, correction_id, contact_id)
);
CREATE INDEX corrected_contacts_contact ON public.corrected_contacts USING btree (workspace_id, contact_id, correction_id);
CREATE INDEX corrected_contacts_former ON public.corrected_contacts USING btree (workspace_id, old_domain, old_local);
alter table corrected_contacts enable row level security;
create policy tenant on corrected_contacts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on corrected_contacts to email_manager_app;

create table corrections (
  workspace_id bigint not null,
  id bigint generated always as identity,
  contacts bigint default 0 not null,
  corrected_by text,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  from_domain text collate "C",
  to_domain text collate "C",
  constraint corrections_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX corrections_created_at ON public.corrections USING btree (workspace_id, created_at DESC, id DESC);
alter table corrections enable row level security;
create policy tenant on corrections for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on corrections to email_manager_app;

create table domain_mail (
  domain text collate "C" not null,
  state text not null,
  via text,
  checked_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  provider text collate "C",
  constraint domain_mail_pkey PRIMARY KEY (domain),
  constraint domain_mail_state_check CHECK ((state = ANY (ARRAY['mail'::text, 'no_mail'::text, 'null_mx'::text, 'no_such_domain'::text, 'unknown'::text]))),
  constraint domain_mail_via_check CHECK ((via = ANY (ARRAY['mx'::text, 'address'::text])))
);
CREATE INDEX domain_mail_expired ON public.domain_mail USING btree (expires_at);
grant delete, insert, select, update on domain_mail to email_manager_app;

create table domain_suppressions (
  workspace_id bigint not null,
  id bigint generated always as identity,
  domain text collate "C" not null,
  reason text not null,
  note text,
  created_by text,
  created_at timestamp with time zone default now() not null,
  batch_id bigint,
  constraint domain_suppressions_pkey PRIMARY KEY (workspace_id, id),
  constraint domain_suppressions_reason_check CHECK ((reason = ANY (ARRAY['manual'::text, 'imported'::text])))
);
CREATE INDEX domain_suppressions_batch ON public.domain_suppressions USING btree (workspace_id, batch_id) WHERE (batch_id IS NOT NULL);
CREATE UNIQUE INDEX domain_suppressions_domain ON public.domain_suppressions USING btree (workspace_id, domain);
CREATE INDEX domain_suppressions_trigrams ON public.domain_suppressions USING gin (domain gin_trgm_ops);
alter table domain_suppressions enable row level security;
create policy tenant on domain_suppressions for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on domain_suppressions to email_manager_app;

create table event_inbox (
  workspace_id bigint not null,
  id bigint generated always as identity,
  type text not null,
  subject_id bigint,
  data jsonb,
  contact_ids bigint[] not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint event_inbox_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX event_inbox_order ON public.event_inbox USING btree (id);
alter table event_inbox enable row level security;
create policy tenant on event_inbox for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on event_inbox to email_manager_app;

create table events (
  workspace_id bigint not null,
  "position" bigint generated always as identity,
  type text not null,
  subject_id bigint,
  data jsonb,
  contact_ids bigint[] not null,
  at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (workspace_id, "position")
);
alter table events enable row level security;
create policy tenant on events for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on events to email_manager_app;

create table field_changes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  what jsonb not null,
  contacts bigint default 0 not null,
  is_open boolean default true not null,
  changed_by text,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  undone bigint default 0 not null,
  constraint field_changes_pkey PRIMARY KEY (workspace_id, id)
);
alter table field_changes enable row level security;
create policy tenant on field_changes for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on field_changes to email_manager_app;

create table former_bases (
  workspace_id bigint not null,
  replaced_by bigint not null,
  contact_id bigint not null,
  basis smallint not null,
  given_on date,
  change_id bigint not null,
  constraint former_bases_pkey PRIMARY KEY (workspace_id, replaced_by, contact_id)
);
CREATE INDEX former_bases_change ON public.former_bases USING btree (workspace_id, change_id, contact_id);
CREATE INDEX former_bases_contact ON public.former_bases USING btree (workspace_id, contact_id);
alter table former_bases enable row level security;
create policy tenant on former_bases for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on former_bases to email_manager_app;

create table idempotency_keys (
  workspace_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  constraint idempotency_keys_pkey PRIMARY KEY (workspace_id, key)
);
CREATE INDEX idempotency_keys_created_at ON public.idempotency_keys USING btree (workspace_id, created_at);
alter table idempotency_keys enable row level security;
create policy tenant on idempotency_keys for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on idempotency_keys to email_manager_app;

create table images (
  workspace_id bigint not null,
  id bigint generated always as identity,
  token text not null,
  format text not null,
  content_hash bytea not null,
  name text not null,
  alt text,
  width integer not null,
  height integer not null,
  bytes bigint not null,
  is_animated boolean default false not null,
  created_by text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  kept_until timestamp with time zone,
  constraint images_pkey PRIMARY KEY (workspace_id, id),
  constraint images_alt_check CHECK ((char_length(alt) <= 300)),
  constraint images_bytes_check CHECK ((bytes > 0)),
  constraint images_content_hash_check CHECK ((octet_length(content_hash) = 32)),
  constraint images_format_check CHECK ((format = ANY (ARRAY['png'::text, 'jpg'::text, 'gif'::text]))),
  constraint images_height_check CHECK ((height > 0)),
  constraint images_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint images_token_check CHECK ((token ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint images_width_check CHECK ((width > 0))
);
CREATE UNIQUE INDEX images_content ON public.images USING btree (workspace_id, content_hash);
CREATE UNIQUE INDEX images_token ON public.images USING btree (workspace_id, token);
alter table images enable row level security;
create policy tenant on images for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on images to email_manager_app;

create unlogged table import_dead_domains_1 (
  domain text collate "C" not null,
  reason text not null
);
grant delete, insert, select, truncate, update on import_dead_domains_1 to email_manager_app;

create unlogged table import_dead_domains_2 (
  domain text collate "C" not null,
  reason text not null
);
grant delete, insert, select, truncate, update on import_dead_domains_2 to email_manager_app;

create unlogged table import_dead_domains_3 (
  domain text collate "C" not null,
  reason text not null
);
grant delete, insert, select, truncate, update on import_dead_domains_3 to email_manager_app;

create unlogged table import_dead_domains_4 (
  domain text collate "C" not null,
  reason text not null
);
grant delete, insert, select, truncate, update on import_dead_domains_4 to email_manager_app;

create unlogged table import_judged_1 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  fate smallint not null,
  first_line bigint not null,
  detail text,
  piece smallint not null,
  id bigint,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint
);
grant delete, insert, select, truncate, update on import_judged_1 to email_manager_app;

create unlogged table import_judged_2 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  fate smallint not null,
  first_line bigint not null,
  detail text,
  piece smallint not null,
  id bigint,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint
);
grant delete, insert, select, truncate, update on import_judged_2 to email_manager_app;

create unlogged table import_judged_3 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  fate smallint not null,
  first_line bigint not null,
  detail text,
  piece smallint not null,
  id bigint,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint
);
grant delete, insert, select, truncate, update on import_judged_3 to email_manager_app;

create unlogged table import_judged_4 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  fate smallint not null,
  first_line bigint not null,
  detail text,
  piece smallint not null,
  id bigint,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint
);
grant delete, insert, select, truncate, update on import_judged_4 to email_manager_app;

create unlogged table import_staging_1 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint,
  basis smallint,
  basis_source text,
  basis_date date
);
grant delete, insert, select, truncate, update on import_staging_1 to email_manager_app;

create unlogged table import_staging_2 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint,
  basis smallint,
  basis_source text,
  basis_date date
);
grant delete, insert, select, truncate, update on import_staging_2 to email_manager_app;

create unlogged table import_staging_3 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint,
  basis smallint,
  basis_source text,
  basis_date date
);
grant delete, insert, select, truncate, update on import_staging_3 to email_manager_app;

create unlogged table import_staging_4 (
  line bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  notes text,
  attributes jsonb,
  first_name text,
  last_name text,
  opt_out smallint,
  opt_out_date date,
  mended_from text,
  mended_state smallint,
  basis smallint,
  basis_source text,
  basis_date date
);
grant delete, insert, select, truncate, update on import_staging_4 to email_manager_app;

create unlogged table import_sums_1 (
  domain text collate "C" not null,
  valid bigint not null,
  invalid bigint not null,
  duplicate bigint not null,
  known boolean default true not null
);
grant delete, insert, select, truncate, update on import_sums_1 to email_manager_app;

create unlogged table import_sums_2 (
  domain text collate "C" not null,
  valid bigint not null,
  invalid bigint not null,
  duplicate bigint not null,
  known boolean default true not null
);
grant delete, insert, select, truncate, update on import_sums_2 to email_manager_app;

create unlogged table import_sums_3 (
  domain text collate "C" not null,
  valid bigint not null,
  invalid bigint not null,
  duplicate bigint not null,
  known boolean default true not null
);
grant delete, insert, select, truncate, update on import_sums_3 to email_manager_app;

create unlogged table import_sums_4 (
  domain text collate "C" not null,
  valid bigint not null,
  invalid bigint not null,
  duplicate bigint not null,
  known boolean default true not null
);
grant delete, insert, select, truncate, update on import_sums_4 to email_manager_app;

create table imports (
  workspace_id bigint not null,
  id bigint generated always as identity,
  file_name text not null,
  file_size bigint default 0 not null,
  file_key text,
  receipt_key text,
  status text not null,
  options jsonb not null,
  reading jsonb,
  rows bigint,
  imported bigint,
  duplicates bigint,
  invalid bigint,
  suppressed bigint,
  non_uk bigint,
  problems jsonb,
  samples jsonb,
  dry_run jsonb,
  progress jsonb,
  error text,
  error_code text,
  lease_until timestamp with time zone,
  attempts integer default 0 not null,
  first_contact_id bigint,
  last_contact_id bigint,
  removal_id bigint,
  created_by text,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  undone_at timestamp with time zone,
  blank bigint,
  actor text,
  lease uuid,
  checked_as jsonb,
  newly_suppressed bigint,
  non_uk_view jsonb,
  sheet jsonb,
  left_topics bigint,
  notes jsonb,
  read_as jsonb,
  undo_task_id bigint,
  constraint imports_pkey PRIMARY KEY (workspace_id, id),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'checking'::text, 'checked'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX imports_file ON public.imports USING btree (workspace_id, file_key) WHERE (file_key IS NOT NULL);
CREATE INDEX imports_open ON public.imports USING btree (lease_until) WHERE (status = ANY (ARRAY['uploading'::text, 'checking'::text, 'processing'::text]));
CREATE INDEX imports_receipt ON public.imports USING btree (workspace_id, receipt_key) WHERE (receipt_key IS NOT NULL);
alter table imports enable row level security;
create policy tenant on imports for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on imports to email_manager_app;

create table invitations (
  id bigint generated always as identity,
  workspace_id bigint not null,
  email text not null,
  role text not null,
  status text default 'pending'::text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  inviter_id bigint not null,
  token_hash bytea,
  sent_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'sender'::text, 'viewer'::text]))),
  constraint invitations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'canceled'::text])))
);
CREATE INDEX invitations_inviter_id ON public.invitations USING btree (inviter_id);
CREATE UNIQUE INDEX invitations_pending ON public.invitations USING btree (workspace_id, email) WHERE (status = 'pending'::text);
CREATE INDEX invitations_pending_email ON public.invitations USING btree (email) WHERE (status = 'pending'::text);
CREATE INDEX invitations_workspace_id ON public.invitations USING btree (workspace_id);
grant delete, insert, select, update on invitations to email_manager_app;

create table leave_wishes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  at timestamp with time zone default clock_timestamp() not null,
  done_at timestamp with time zone,
  mailing text,
  contact_id bigint,
  constraint leave_wishes_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX leave_wishes_address ON public.leave_wishes USING btree (workspace_id, domain, local);
CREATE INDEX leave_wishes_contact ON public.leave_wishes USING btree (workspace_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX leave_wishes_open ON public.leave_wishes USING btree (workspace_id, domain, local) WHERE (done_at IS NULL);
CREATE INDEX leave_wishes_send ON public.leave_wishes USING btree (workspace_id, mailing_id, send_id) WHERE (done_at IS NULL);
alter table leave_wishes enable row level security;
create policy tenant on leave_wishes for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on leave_wishes to email_manager_app;

create table lifted_suppressions (
  workspace_id bigint not null,
  lifting_id bigint not null,
  id bigint not null,
  local text collate "C",
  domain text collate "C" not null,
  reason text not null,
  note text,
  created_by text,
  created_at timestamp with time zone not null,
  batch_id bigint,
  refuses_all boolean default false not null,
  by_others boolean default false not null,
  constraint lifted_suppressions_pkey PRIMARY KEY (workspace_id, lifting_id, id)
);
CREATE INDEX lifted_suppressions_entry ON public.lifted_suppressions USING btree (workspace_id, domain, local);
alter table lifted_suppressions enable row level security;
create policy tenant on lifted_suppressions for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on lifted_suppressions to email_manager_app;

create table list_members (
  workspace_id bigint not null,
  list_id bigint not null,
  contact_id bigint not null,
  added_at timestamp with time zone default now() not null,
  source text not null,
  source_id bigint not null,
  constraint list_members_pkey PRIMARY KEY (workspace_id, list_id, contact_id),
  constraint list_members_source_check CHECK ((source = ANY (ARRAY['chosen'::text, 'filter'::text, 'pasted'::text, 'api'::text, 'import'::text, 'merge'::text, 'preferences'::text])))
);
CREATE INDEX list_members_contact ON public.list_members USING hash (contact_id);
alter table list_members enable row level security;
create policy tenant on list_members for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on list_members to email_manager_app;

create table lists (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  description text,
  is_dynamic boolean default false not null,
  segment_rules jsonb,
  contact_count bigint default 0 not null,
  created_by text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  counted_at timestamp with time zone,
  is_public boolean default false not null,
  public_name text,
  public_description text,
  constraint lists_pkey PRIMARY KEY (workspace_id, id),
  constraint lists_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint lists_public_check CHECK ((NOT (is_public AND is_dynamic)))
);
alter table lists enable row level security;
create policy tenant on lists for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on lists to email_manager_app;

create table mailing_bounces (
  workspace_id bigint not null,
  mailing_id bigint not null,
  hard bigint default 0 not null,
  soft bigint default 0 not null,
  complained bigint default 0 not null,
  paused_at bigint default 0 not null,
  returned bigint default 0 not null,
  constraint mailing_bounces_pkey PRIMARY KEY (workspace_id, mailing_id)
);
alter table mailing_bounces enable row level security;
create policy tenant on mailing_bounces for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailing_bounces to email_manager_app;

create table mailing_facets (
  workspace_id bigint not null,
  mailing_id bigint not null,
  facet text not null,
  value text not null,
  opened bigint default 0 not null,
  clicked bigint default 0 not null,
  constraint mailing_facets_pkey PRIMARY KEY (workspace_id, mailing_id, facet, value),
  constraint mailing_facets_facet CHECK ((facet = ANY (ARRAY['device'::text, 'program'::text, 'country'::text])))
);
alter table mailing_facets enable row level security;
create policy tenant on mailing_facets for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailing_facets to email_manager_app;

create table mailing_hours (
  workspace_id bigint not null,
  mailing_id bigint not null,
  hour timestamp with time zone not null,
  opened bigint default 0 not null,
  human_opened bigint default 0 not null,
  clicked bigint default 0 not null,
  human_clicked bigint default 0 not null,
  unsubscribed bigint default 0 not null,
  constraint mailing_hours_pkey PRIMARY KEY (workspace_id, mailing_id, hour)
);
alter table mailing_hours enable row level security;
create policy tenant on mailing_hours for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailing_hours to email_manager_app;

create table mailing_links (
  workspace_id bigint not null,
  mailing_id bigint not null,
  number integer not null,
  part text not null,
  url text not null,
  clicks bigint default 0 not null,
  human_clicks bigint default 0 not null,
  prefix text,
  constraint mailing_links_pkey PRIMARY KEY (workspace_id, mailing_id, number),
  constraint mailing_links_part_check CHECK ((part = ANY (ARRAY['html'::text, 'text'::text])))
);
alter table mailing_links enable row level security;
create policy tenant on mailing_links for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailing_links to email_manager_app;

create table mailing_pauses (
  workspace_id bigint not null,
  domain text collate "C" not null,
  local text collate "C" not null,
  until timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint mailing_pauses_pkey PRIMARY KEY (workspace_id, domain, local)
);
alter table mailing_pauses enable row level security;
create policy tenant on mailing_pauses for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailing_pauses to email_manager_app;

create table mailing_tests (
  workspace_id bigint not null,
  mailing_id bigint not null,
  share smallint not null,
  decide_by text not null,
  hours smallint not null,
  due_at timestamp with time zone,
  winner smallint,
  decided_at timestamp with time zone,
  decided_by text,
  counted_at timestamp with time zone,
  took_ms bigint default 0 not null,
  claimed_until timestamp with time zone,
  figures jsonb,
  constraint mailing_tests_pkey PRIMARY KEY (workspace_id, mailing_id),
  constraint mailing_tests_decide_by_check CHECK ((decide_by = ANY (ARRAY['clicks'::text, 'opens'::text, 'hand'::text])))
);
CREATE INDEX mailing_tests_due ON public.mailing_tests USING btree (due_at) WHERE ((winner IS NULL) AND (due_at IS NOT NULL));
alter table mailing_tests enable row level security;
create policy tenant on mailing_tests for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailing_tests to email_manager_app;

create table mailing_variants (
  workspace_id bigint not null,
  mailing_id bigint not null,
  number smallint not null,
  subject text not null,
  preheader text not null,
  from_name text not null,
  from_address text not null,
  html text,
  text text,
  delay_hours smallint default 0 not null,
  constraint mailing_variants_pkey PRIMARY KEY (workspace_id, mailing_id, number),
  constraint mailing_variants_number_check CHECK (((number >= 1) AND (number <= 5)))
);
alter table mailing_variants enable row level security;
create policy tenant on mailing_variants for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailing_variants to email_manager_app;

create table mailings (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  status text default 'freezing'::text not null,
  notice text,
  wait_until timestamp with time zone,
  name text not null,
  from_name text not null,
  from_address text not null,
  reply_to text,
  subject text not null,
  preheader text default ''::text not null,
  html text not null,
  text text not null,
  merge_data jsonb default '{}'::jsonb not null,
  tracks_opens boolean not null,
  tracks_clicks boolean not null,
  audience jsonb,
  created_by text,
  created_at timestamp with time zone default clock_timestamp() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  left_out jsonb default '{}'::jsonb not null,
  lease uuid,
  lease_until timestamp with time zone,
  attempts integer default 0 not null,
  rest_days smallint,
  spread_hours smallint,
  campaign_id bigint,
  local_time timestamp without time zone,
  served_at timestamp with time zone,
  reconciled_at timestamp with time zone,
  books jsonb,
  lists bigint[] default '{}'::bigint[] not null,
  needed_lists jsonb,
  needs_server boolean default false not null,
  constraint mailings_pkey PRIMARY KEY (workspace_id, id),
  constraint mailings_kind_check CHECK ((kind = ANY (ARRAY['campaign'::text, 'transactional'::text, 'test'::text]))),
  constraint mailings_paused_check CHECK (((kind <> 'transactional'::text) OR (status <> 'paused'::text))),
  constraint mailings_rest_days_check CHECK (((rest_days >= 1) AND (rest_days <= 90))),
  constraint mailings_spread_hours_check CHECK (((spread_hours >= 1) AND (spread_hours <= 72))),
  constraint mailings_status_check CHECK ((status = ANY (ARRAY['freezing'::text, 'sending'::text, 'paused'::text, 'cancelled'::text, 'completed'::text])))
);
CREATE INDEX mailings_campaigns ON public.mailings USING btree (workspace_id, COALESCE(ended_at, 'infinity'::timestamp with time zone)) WHERE (kind = 'campaign'::text);
CREATE INDEX mailings_open ON public.mailings USING btree (status, workspace_id, id) WHERE ((status = ANY (ARRAY['freezing'::text, 'sending'::text, 'cancelled'::text])) AND (ended_at IS NULL));
CREATE INDEX mailings_unreconciled ON public.mailings USING btree (workspace_id, id) WHERE ((ended_at IS NOT NULL) AND (reconciled_at IS NULL));
alter table mailings enable row level security;
create policy tenant on mailings for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on mailings to email_manager_app;

create table members (
  id bigint generated always as identity,
  workspace_id bigint not null,
  user_id bigint not null,
  role text not null,
  created_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone,
  constraint members_pkey PRIMARY KEY (id),
  constraint members_workspace_id_user_id_key UNIQUE (workspace_id, user_id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'sender'::text, 'viewer'::text])))
);
CREATE INDEX members_user_id ON public.members USING btree (user_id);
grant delete, insert, select, update on members to email_manager_app;

create table membership_changes (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  group_id bigint not null,
  is_removal boolean not null,
  contacts bigint default 0 not null,
  contact_ids bigint[],
  is_open boolean default true not null,
  changed_by text,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  undone bigint default 0 not null,
  import_id bigint,
  constraint membership_changes_pkey PRIMARY KEY (workspace_id, id),
  constraint membership_changes_kind_check CHECK ((kind = ANY (ARRAY['list'::text, 'tag'::text])))
);
alter table membership_changes enable row level security;
create policy tenant on membership_changes for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on membership_changes to email_manager_app;

create table merged_contacts (
  workspace_id bigint not null,
  merge_id bigint not null,
  contact_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  constraint merged_contacts_pkey PRIMARY KEY (workspace_id, merge_id, contact_id)
);
CREATE INDEX merged_contacts_address ON public.merged_contacts USING btree (workspace_id, domain, local);
CREATE INDEX merged_contacts_contact ON public.merged_contacts USING btree (workspace_id, contact_id);
alter table merged_contacts enable row level security;
create policy tenant on merged_contacts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on merged_contacts to email_manager_app;

create table merges (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kept_id bigint not null,
  removal_id bigint not null,
  before jsonb not null,
  merged_by text,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  after jsonb,
  oldest_open_removal bigint,
  constraint merges_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX merges_created_at ON public.merges USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX merges_kept ON public.merges USING btree (workspace_id, kept_id, id);
CREATE INDEX merges_removal ON public.merges USING btree (workspace_id, removal_id);
alter table merges enable row level security;
create policy tenant on merges for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on merges to email_manager_app;

create table nightly_place (
  id boolean default true not null,
  reached bigint not null,
  constraint nightly_place_pkey PRIMARY KEY (id),
  constraint nightly_place_id_check CHECK (id)
);
grant delete, insert, select, update on nightly_place to email_manager_app;

create table notification_choices (
  user_id bigint not null,
  finished boolean default true not null,
  failed boolean default true not null,
  invitations boolean default true not null,
  constraint notification_choices_pkey PRIMARY KEY (user_id),
  constraint notification_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on notification_choices to email_manager_app;

create table notification_reads (
  workspace_id bigint not null,
  user_id text not null,
  seen_until timestamp with time zone not null,
  constraint notification_reads_pkey PRIMARY KEY (workspace_id, user_id)
);
alter table notification_reads enable row level security;
create policy tenant on notification_reads for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on notification_reads to email_manager_app;

create table outbox (
  id bigint generated always as identity,
  workspace_id bigint,
  kind text not null,
  recipient text not null,
  subject text not null,
  body_text text,
  body_html text,
  link text,
  status text not null,
  attempts integer default 0 not null,
  next_try_at timestamp with time zone,
  error text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  tried_at timestamp with time zone,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint outbox_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'password_reset'::text, 'email_proof'::text, 'notice'::text, 'test'::text]))),
  constraint outbox_status_check CHECK ((status = ANY (ARRAY['kept'::text, 'waiting'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX outbox_created_at ON public.outbox USING btree (created_at);
CREATE INDEX outbox_tried ON public.outbox USING btree (workspace_id, tried_at) WHERE (tried_at IS NOT NULL);
CREATE INDEX outbox_waiting ON public.outbox USING btree (workspace_id, next_try_at) WHERE (status = 'waiting'::text);
CREATE INDEX outbox_workspace_id ON public.outbox USING btree (workspace_id, id);
grant delete, insert, select, update on outbox to email_manager_app;

create table outbox_messages (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  recipient text not null,
  subject text not null,
  source bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint outbox_messages_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX outbox_messages_age ON public.outbox_messages USING btree (workspace_id, created_at);
CREATE INDEX outbox_messages_mailing ON public.outbox_messages USING btree (workspace_id, mailing_id, id);
CREATE INDEX outbox_messages_recipient ON public.outbox_messages USING btree (workspace_id, lower(recipient) text_pattern_ops);
CREATE UNIQUE INDEX outbox_messages_send ON public.outbox_messages USING btree (workspace_id, mailing_id, send_id);
alter table outbox_messages enable row level security;
create policy tenant on outbox_messages for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on outbox_messages to email_manager_app;

create unlogged table rate_limits (
  id bigint generated always as identity,
  key text not null,
  count integer not null,
  last_request bigint not null,
  constraint rate_limits_pkey PRIMARY KEY (id),
  constraint rate_limits_key_key UNIQUE (key)
);
grant delete, insert, select, update on rate_limits to email_manager_app;

create table receiver_paces (
  workspace_id bigint not null,
  receiver text collate "C" not null,
  per_hour integer not null,
  next_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  constraint receiver_paces_pkey PRIMARY KEY (workspace_id, receiver),
  constraint receiver_paces_per_hour_check CHECK ((per_hour > 0))
);
alter table receiver_paces enable row level security;
create policy tenant on receiver_paces for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on receiver_paces to email_manager_app;

create table removals (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  contacts bigint default 0 not null,
  import_id bigint,
  removed_by text,
  created_at timestamp with time zone default now() not null,
  restored_at timestamp with time zone,
  is_open boolean default false not null,
  restored bigint default 0 not null,
  duplicates bigint,
  invalid bigint,
  non_uk bigint,
  why text,
  is_restoring boolean default false not null,
  restoring_task_id bigint,
  constraint removals_pkey PRIMARY KEY (workspace_id, id),
  constraint removals_kind_check CHECK ((kind = ANY (ARRAY['delete'::text, 'clean'::text, 'undo_import'::text, 'merge'::text])))
);
CREATE INDEX removals_import ON public.removals USING btree (workspace_id, import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX removals_open ON public.removals USING btree (workspace_id, id) WHERE is_open;
CREATE INDEX removals_restoring ON public.removals USING btree (workspace_id) WHERE is_restoring;
alter table removals enable row level security;
create policy tenant on removals for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on removals to email_manager_app;

create table removed_contacts (
  workspace_id bigint not null,
  removal_id bigint not null,
  id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  address text,
  state smallint not null,
  name text,
  source text,
  date text,
  attributes jsonb,
  notes text,
  import_id bigint,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone,
  reason smallint,
  first_name text,
  last_name text,
  constraint removed_contacts_pkey PRIMARY KEY (workspace_id, removal_id, id),
  constraint removed_contacts_reason_check CHECK ((reason = ANY (ARRAY[1, 2, 3])))
);
alter table removed_contacts enable row level security;
create policy tenant on removed_contacts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on removed_contacts to email_manager_app;

create table removed_memberships (
  workspace_id bigint not null,
  change_id bigint not null,
  kind text not null,
  group_id bigint not null,
  contact_id bigint not null,
  added_at timestamp with time zone not null,
  source text not null,
  source_id bigint not null,
  removal_id bigint,
  constraint removed_memberships_pkey PRIMARY KEY (workspace_id, change_id, kind, group_id, contact_id),
  constraint removed_memberships_kind_check CHECK ((kind = ANY (ARRAY['list'::text, 'tag'::text])))
);
CREATE INDEX removed_memberships_binned ON public.removed_memberships USING btree (workspace_id, contact_id) WHERE (change_id = 0);
CREATE INDEX removed_memberships_contact ON public.removed_memberships USING btree (workspace_id, contact_id) WHERE (change_id <> 0);
alter table removed_memberships enable row level security;
create policy tenant on removed_memberships for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on removed_memberships to email_manager_app;

create table review_dismissals (
  workspace_id bigint not null,
  kind text not null,
  key text collate "C" not null,
  dismissed_by text,
  created_at timestamp with time zone default now() not null,
  constraint review_dismissals_pkey PRIMARY KEY (workspace_id, kind, key),
  constraint review_dismissals_kind_check CHECK ((kind = ANY (ARRAY['pattern'::text, 'address'::text, 'mailbox'::text])))
);
alter table review_dismissals enable row level security;
create policy tenant on review_dismissals for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on review_dismissals to email_manager_app;

create table saved_views (
  workspace_id bigint not null,
  id bigint generated always as identity,
  screen text not null,
  owner_id bigint not null,
  name text not null,
  shared boolean default false not null,
  state jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  updated_by bigint,
  constraint saved_views_pkey PRIMARY KEY (workspace_id, id),
  constraint saved_views_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint saved_views_screen_check CHECK ((screen = 'contacts'::text)),
  constraint saved_views_state_check CHECK ((jsonb_typeof(state) = 'object'::text))
);
CREATE UNIQUE INDEX saved_views_own_name ON public.saved_views USING btree (workspace_id, screen, owner_id, lower(name)) WHERE ((NOT shared) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX saved_views_shared_name ON public.saved_views USING btree (workspace_id, screen, lower(name)) WHERE (shared AND (deleted_at IS NULL));
alter table saved_views enable row level security;
create policy tenant on saved_views for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on saved_views to email_manager_app;

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);
grant select on schema_migrations to email_manager_app;

create table send_paces (
  workspace_id bigint not null,
  per_hour integer,
  per_day integer,
  quiet_from smallint,
  quiet_to smallint,
  tokens double precision default 'Infinity'::double precision not null,
  tokens_at timestamp with time zone default now() not null,
  day date,
  day_sent integer default 0 not null,
  cap_messages smallint,
  cap_days smallint,
  constraint send_paces_pkey PRIMARY KEY (workspace_id),
  constraint send_paces_cap_days_check CHECK (((cap_days >= 1) AND (cap_days <= 90))),
  constraint send_paces_cap_messages_check CHECK ((cap_messages > 0)),
  constraint send_paces_check CHECK (((((quiet_from IS NULL) = (quiet_to IS NULL)) AND (quiet_from IS DISTINCT FROM quiet_to)) OR (quiet_from IS NULL))),
  constraint send_paces_check1 CHECK (((cap_messages IS NULL) = (cap_days IS NULL))),
  constraint send_paces_per_day_check CHECK ((per_day > 0)),
  constraint send_paces_per_hour_check CHECK ((per_hour > 0)),
  constraint send_paces_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 1439))),
  constraint send_paces_quiet_to_check CHECK (((quiet_to >= 0) AND (quiet_to <= 1439)))
);
alter table send_paces enable row level security;
create policy tenant on send_paces for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on send_paces to email_manager_app;

create table send_parts (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  first_send bigint not null,
  last_send bigint not null,
  status text default 'open'::text not null,
  lease uuid,
  lease_until timestamp with time zone,
  attempts integer default 0 not null,
  total integer not null,
  sent integer default 0 not null,
  failed integer default 0 not null,
  skipped integer default 0 not null,
  uncertain integer default 0 not null,
  deferred integer default 0 not null,
  not_before timestamp with time zone,
  test_group smallint,
  variant smallint,
  constraint send_parts_pkey PRIMARY KEY (workspace_id, id),
  constraint send_parts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text])))
);
CREATE UNIQUE INDEX send_parts_first ON public.send_parts USING btree (workspace_id, mailing_id, first_send);
CREATE INDEX send_parts_leased ON public.send_parts USING btree (workspace_id, mailing_id) WHERE (lease IS NOT NULL);
CREATE INDEX send_parts_open ON public.send_parts USING btree (workspace_id, mailing_id, id) WHERE (status <> 'done'::text);
alter table send_parts enable row level security;
create policy tenant on send_parts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on send_parts to email_manager_app;

create table sender_addresses (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  address text not null,
  reply_to text not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  constraint sender_addresses_pkey PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX sender_addresses_same ON public.sender_addresses USING btree (workspace_id, lower(address), name);
alter table sender_addresses enable row level security;
create policy tenant on sender_addresses for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on sender_addresses to email_manager_app;

create table sender_domains (
  workspace_id bigint not null,
  id bigint generated always as identity,
  domain text not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  facts jsonb,
  checked_at timestamp with time zone,
  check_after timestamp with time zone default now() not null,
  constraint sender_domains_pkey PRIMARY KEY (workspace_id, id),
  constraint sender_domains_workspace_id_domain_key UNIQUE (workspace_id, domain)
);
CREATE INDEX sender_domains_named ON public.sender_domains USING btree (domain);
alter table sender_domains enable row level security;
create policy tenant on sender_domains for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on sender_domains to email_manager_app;

create table sender_keys (
  workspace_id bigint not null,
  domain_id bigint not null,
  selector text not null,
  public_key text not null,
  sealed_key text not null,
  made_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone,
  retired_at timestamp with time zone,
  constraint sender_keys_pkey PRIMARY KEY (workspace_id, domain_id, selector),
  constraint sender_keys_workspace_id_domain_id_fkey FOREIGN KEY (workspace_id, domain_id) REFERENCES sender_domains(workspace_id, id) ON DELETE CASCADE
);
alter table sender_keys enable row level security;
create policy tenant on sender_keys for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on sender_keys to email_manager_app;

create table sends (
  workspace_id bigint not null,
  mailing_id bigint not null,
  id bigint not null,
  contact_id bigint,
  local text collate "C" not null,
  domain text collate "C" not null,
  state text default 'pending'::text not null,
  attempts smallint default 0 not null,
  due_at timestamp with time zone,
  handed_at timestamp with time zone,
  ended_at timestamp with time zone,
  reason text,
  reply text,
  data jsonb,
  exception text generated always as (
CASE
    WHEN ((state = ANY (ARRAY['deferred'::text, 'failed'::text, 'skipped'::text, 'uncertain'::text, 'left_out'::text])) OR ((state = 'handed'::text) AND (attempts > 1))) THEN state
    ELSE NULL::text
END) stored,
  test_group smallint,
  tried_since timestamp with time zone,
  constraint sends_pkey PRIMARY KEY (workspace_id, mailing_id, id),
  constraint sends_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'handed'::text, 'sent'::text, 'deferred'::text, 'failed'::text, 'skipped'::text, 'uncertain'::text, 'left_out'::text])))
);
CREATE INDEX sends_direct ON public.sends USING btree (workspace_id, domain, local) WHERE (contact_id IS NULL);
CREATE INDEX sends_direct_exceptions ON public.sends USING btree (workspace_id, exception, mailing_id, id) WHERE ((contact_id IS NULL) AND (exception IS NOT NULL));
CREATE INDEX sends_exceptions ON public.sends USING btree (workspace_id, mailing_id, exception, id) WHERE (exception IS NOT NULL);
alter table sends enable row level security;
create policy tenant on sends for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on sends to email_manager_app;

create table sessions (
  id bigint generated always as identity,
  user_id bigint not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  active_workspace_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  through_provider boolean default false not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_key UNIQUE (token),
  constraint sessions_active_workspace_id_fkey FOREIGN KEY (active_workspace_id) REFERENCES workspaces(id) ON DELETE SET NULL,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user_id ON public.sessions USING btree (user_id);
grant delete, insert, select, update on sessions to email_manager_app;

create table settings (
  workspace_id bigint not null,
  email_validation jsonb,
  import jsonb,
  export jsonb,
  updated_at timestamp with time zone default now() not null,
  sender jsonb,
  retention jsonb,
  constraint settings_pkey PRIMARY KEY (workspace_id)
);
alter table settings enable row level security;
create policy tenant on settings for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on settings to email_manager_app;

create table shared_mailboxes (
  workspace_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  contacts integer not null,
  constraint shared_mailboxes_pkey PRIMARY KEY (workspace_id, domain, local)
);
alter table shared_mailboxes enable row level security;
create policy tenant on shared_mailboxes for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on shared_mailboxes to email_manager_app;

create table slow_domains (
  workspace_id bigint not null,
  domain text not null,
  until timestamp with time zone not null,
  times smallint not null,
  constraint slow_domains_pkey PRIMARY KEY (workspace_id, domain)
);
alter table slow_domains enable row level security;
create policy tenant on slow_domains for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on slow_domains to email_manager_app;

create table smtp_servers (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  host text not null,
  port integer not null,
  tls text not null,
  username text default ''::text not null,
  password text,
  weight smallint default 1 not null,
  is_fallback boolean default false not null,
  is_active boolean default true not null,
  last_test_at timestamp with time zone,
  last_test_ok boolean,
  last_test_answer text,
  trouble text,
  trouble_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  per_hour integer,
  per_minute integer,
  hour_next_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  minute_next_at timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  constraint smtp_servers_pkey PRIMARY KEY (workspace_id, id),
  constraint smtp_servers_check CHECK (((username = ''::text) = (password IS NULL))),
  constraint smtp_servers_per_hour_check CHECK (((per_hour >= 1) AND (per_hour <= 1000000))),
  constraint smtp_servers_per_minute_check CHECK (((per_minute >= 1) AND (per_minute <= 100000))),
  constraint smtp_servers_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint smtp_servers_tls_check CHECK ((tls = ANY (ARRAY['starttls'::text, 'implicit'::text, 'none'::text]))),
  constraint smtp_servers_weight_check CHECK (((weight >= 1) AND (weight <= 100)))
);
alter table smtp_servers enable row level security;
create policy tenant on smtp_servers for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on smtp_servers to email_manager_app;

create table suppression_batches (
  workspace_id bigint not null,
  id bigint generated always as identity,
  source text not null,
  file_name text,
  file_size bigint,
  file_key text,
  receipt_key text,
  reason text not null,
  form text default 'auto'::text not null,
  status text default 'processing'::text not null,
  error text,
  lines bigint,
  added bigint,
  already_there bigint,
  invalid bigint,
  domains bigint,
  hashes bigint,
  recognised bigint,
  created_by text,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint suppression_batches_pkey PRIMARY KEY (workspace_id, id),
  constraint suppression_batches_form_check CHECK ((form = ANY (ARRAY['auto'::text, 'plain'::text, 'md5'::text, 'sha1'::text, 'sha256'::text]))),
  constraint suppression_batches_source_check CHECK ((source = ANY (ARRAY['file'::text, 'contacts'::text, 'import'::text]))),
  constraint suppression_batches_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text])))
);
alter table suppression_batches enable row level security;
create policy tenant on suppression_batches for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on suppression_batches to email_manager_app;

create table suppression_counts (
  workspace_id bigint not null,
  list text not null,
  part text not null,
  entries bigint default 0 not null,
  constraint suppression_counts_pkey PRIMARY KEY (workspace_id, list, part),
  constraint suppression_counts_list_check CHECK ((list = ANY (ARRAY['email'::text, 'domain'::text, 'hash'::text])))
);
alter table suppression_counts enable row level security;
create policy tenant on suppression_counts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on suppression_counts to email_manager_app;

create table suppression_hashes (
  workspace_id bigint not null,
  kind text not null,
  hash bytea not null,
  reason text not null,
  batch_id bigint,
  created_at timestamp with time zone default now() not null,
  refuses_all boolean default false not null,
  constraint suppression_hashes_pkey PRIMARY KEY (workspace_id, kind, hash),
  constraint suppression_hashes_kind_check CHECK ((kind = ANY (ARRAY['md5'::text, 'sha1'::text, 'sha256'::text, 'hmac'::text]))),
  constraint suppression_hashes_reason_check CHECK ((reason = ANY (ARRAY['manual'::text, 'unsubscribed'::text, 'bounced'::text, 'complained'::text, 'erased'::text, 'imported'::text])))
);
CREATE INDEX suppression_hashes_batch ON public.suppression_hashes USING btree (workspace_id, batch_id) WHERE (batch_id IS NOT NULL);
alter table suppression_hashes enable row level security;
create policy tenant on suppression_hashes for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on suppression_hashes to email_manager_app;

create table suppression_keys (
  workspace_id bigint not null,
  key bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint suppression_keys_pkey PRIMARY KEY (workspace_id)
);
alter table suppression_keys enable row level security;
create policy tenant on suppression_keys for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on suppression_keys to email_manager_app;

create table suppression_liftings (
  workspace_id bigint not null,
  id bigint generated always as identity,
  list text not null,
  why text,
  entries bigint default 0 not null,
  lifted_by text,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  is_open boolean default false not null,
  constraint suppression_liftings_pkey PRIMARY KEY (workspace_id, id),
  constraint suppression_liftings_list_check CHECK ((list = ANY (ARRAY['email'::text, 'domain'::text])))
);
alter table suppression_liftings enable row level security;
create policy tenant on suppression_liftings for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on suppression_liftings to email_manager_app;

create table suppressions (
  workspace_id bigint not null,
  id bigint generated always as identity,
  local text collate "C" not null,
  domain text collate "C" not null,
  reason text not null,
  note text,
  created_by text,
  created_at timestamp with time zone default now() not null,
  batch_id bigint,
  refuses_all boolean default false not null,
  by_others boolean default false not null,
  constraint suppressions_pkey PRIMARY KEY (workspace_id, id),
  constraint suppressions_reason_check CHECK ((reason = ANY (ARRAY['manual'::text, 'unsubscribed'::text, 'bounced'::text, 'complained'::text, 'erased'::text, 'imported'::text])))
);
CREATE INDEX suppressions_batch ON public.suppressions USING btree (workspace_id, batch_id) WHERE (batch_id IS NOT NULL);
CREATE UNIQUE INDEX suppressions_identity ON public.suppressions USING btree (workspace_id, domain, local);
CREATE INDEX suppressions_reason ON public.suppressions USING btree (workspace_id, reason, id) INCLUDE (local, domain);
CREATE INDEX suppressions_trigrams ON public.suppressions USING gin ((((local || '@'::text) || domain)) gin_trgm_ops);
alter table suppressions enable row level security;
create policy tenant on suppressions for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on suppressions to email_manager_app;

create table tags (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  name_key text not null,
  color text not null,
  contact_count bigint default 0 not null,
  created_by text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint tags_pkey PRIMARY KEY (workspace_id, id),
  constraint tags_color_check CHECK ((color ~ '^#[0-9A-F]{6}$'::text)),
  constraint tags_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)))
);
CREATE UNIQUE INDEX tags_name ON public.tags USING btree (workspace_id, name_key) WHERE (deleted_at IS NULL);
alter table tags enable row level security;
create policy tenant on tags for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on tags to email_manager_app;

create table tasks (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  title text not null,
  status text default 'waiting'::text not null,
  input jsonb not null,
  state jsonb,
  result jsonb,
  link text,
  done bigint default 0 not null,
  total bigint,
  phase text,
  error text,
  error_code text,
  user_id text,
  user_name text not null,
  actor text not null,
  cancel_requested boolean default false not null,
  lease uuid,
  lease_until timestamp with time zone,
  attempts integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint tasks_pkey PRIMARY KEY (workspace_id, id),
  constraint tasks_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX tasks_open ON public.tasks USING btree (created_at) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
alter table tasks enable row level security;
create policy tenant on tasks for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on tasks to email_manager_app;

create table template_blocks (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  block jsonb not null,
  saved_at timestamp with time zone default now() not null,
  saved_by bigint not null,
  constraint template_blocks_pkey PRIMARY KEY (workspace_id, id),
  constraint template_blocks_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);
alter table template_blocks enable row level security;
create policy tenant on template_blocks for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on template_blocks to email_manager_app;

create table template_brands (
  workspace_id bigint not null,
  brand jsonb not null,
  saved_at timestamp with time zone default now() not null,
  saved_by bigint not null,
  constraint template_brands_pkey PRIMARY KEY (workspace_id)
);
alter table template_brands enable row level security;
create policy tenant on template_brands for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on template_brands to email_manager_app;

create unlogged table template_presence (
  workspace_id bigint not null,
  template_id bigint not null,
  user_id bigint not null,
  window_id text not null,
  is_hidden boolean not null,
  expires_at timestamp with time zone not null,
  constraint template_presence_pkey PRIMARY KEY (workspace_id, template_id, user_id, window_id)
);
alter table template_presence enable row level security;
create policy tenant on template_presence for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on template_presence to email_manager_app;

create table template_versions (
  workspace_id bigint not null,
  template_id bigint not null,
  version integer not null,
  name text not null,
  description text,
  category text not null,
  mode text default 'html'::text not null,
  source jsonb,
  html_content text not null,
  text_content text,
  restored_from integer,
  saved_at timestamp with time zone default clock_timestamp() not null,
  saved_by bigint not null,
  saved_by_key text,
  is_automatic boolean default false not null,
  joins_until timestamp with time zone,
  image_tokens text[] generated always as (image_tokens_in(((html_content || ' '::text) || COALESCE((source)::text, ''::text)))) stored not null,
  constraint template_versions_pkey PRIMARY KEY (workspace_id, template_id, version),
  constraint template_versions_check CHECK (((mode = 'html'::text) = (source IS NULL))),
  constraint template_versions_mode_check CHECK ((mode = ANY (ARRAY['html'::text, 'mjml'::text, 'visual'::text]))),
  constraint template_versions_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  constraint template_versions_version_check CHECK ((version > 0))
);
alter table template_versions enable row level security;
create policy tenant on template_versions for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on template_versions to email_manager_app;

create table templates (
  workspace_id bigint not null,
  id bigint generated always as identity,
  version integer default 1 not null,
  used_count bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint templates_pkey PRIMARY KEY (workspace_id, id),
  constraint templates_version_check CHECK ((version > 0))
);
alter table templates enable row level security;
create policy tenant on templates for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on templates to email_manager_app;

create table topic_leavings (
  workspace_id bigint not null,
  id bigint generated always as identity,
  list_id bigint not null,
  domain text collate "C" not null,
  local text collate "C" not null,
  contact_id bigint not null,
  mailing_id bigint not null,
  left_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  is_waiting boolean default false not null,
  constraint topic_leavings_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX topic_leavings_address ON public.topic_leavings USING btree (workspace_id, domain, local);
CREATE INDEX topic_leavings_contact ON public.topic_leavings USING btree (workspace_id, contact_id);
CREATE UNIQUE INDEX topic_leavings_open ON public.topic_leavings USING btree (workspace_id, list_id, domain, local) WHERE (ended_at IS NULL);
CREATE INDEX topic_leavings_waiting ON public.topic_leavings USING btree (workspace_id, id) WHERE is_waiting;
alter table topic_leavings enable row level security;
create policy tenant on topic_leavings for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on topic_leavings to email_manager_app;

create table tracked_sends (
  workspace_id bigint not null,
  mailing_id bigint not null,
  send_id bigint not null,
  opened_at timestamp with time zone,
  human_opened_at timestamp with time zone,
  clicked_at timestamp with time zone,
  human_clicked_at timestamp with time zone,
  left_at timestamp with time zone,
  contact_id bigint,
  constraint tracked_sends_pkey PRIMARY KEY (workspace_id, mailing_id, send_id)
);
CREATE INDEX tracked_sends_clicked ON public.tracked_sends USING btree (workspace_id, mailing_id, send_id) WHERE ((clicked_at IS NOT NULL) OR (left_at IS NOT NULL));
CREATE INDEX tracked_sends_contact ON public.tracked_sends USING btree (workspace_id, contact_id) WHERE (contact_id IS NOT NULL);
alter table tracked_sends enable row level security;
create policy tenant on tracked_sends for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on tracked_sends to email_manager_app;

create table tracking_agents (
  workspace_id bigint not null,
  hash bigint not null,
  agent text not null,
  seen_on date default CURRENT_DATE not null,
  constraint tracking_agents_pkey PRIMARY KEY (workspace_id, hash)
);
alter table tracking_agents enable row level security;
create policy tenant on tracking_agents for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on tracking_agents to email_manager_app;

create table tracking_events (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  kind text not null,
  link integer,
  at timestamp with time zone default clock_timestamp() not null,
  agent text not null,
  device text,
  is_human boolean not null,
  judged_by smallint not null,
  agent_hash bigint,
  is_head boolean default false not null,
  program text,
  country text,
  constraint tracking_events_pkey PRIMARY KEY (workspace_id, mailing_id, send_id, at, id),
  constraint tracking_events_kind CHECK ((kind = ANY (ARRAY['open'::text, 'click'::text, 'leave'::text])))
) partition by RANGE (at);
CREATE INDEX tracking_events_link ON ONLY public.tracking_events USING btree (workspace_id, mailing_id, link, send_id) WHERE (kind = 'click'::text);
alter table tracking_events enable row level security;
create policy tenant on tracking_events for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on tracking_events to email_manager_app;

create table tracking_events_rest partition of tracking_events DEFAULT;
alter table tracking_events_rest enable row level security;

create table tracking_judgements (
  workspace_id bigint not null,
  judged_by smallint not null,
  judged_at timestamp with time zone default now() not null,
  is_settled boolean default false not null,
  constraint tracking_judgements_pkey PRIMARY KEY (workspace_id)
);
alter table tracking_judgements enable row level security;
create policy tenant on tracking_judgements for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on tracking_judgements to email_manager_app;

create table transactional_messages (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  address text not null,
  subject text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint transactional_messages_pkey PRIMARY KEY (workspace_id, id)
);
CREATE INDEX transactional_messages_address ON public.transactional_messages USING btree (workspace_id, lower(address) text_pattern_ops, id);
CREATE INDEX transactional_messages_mailing ON public.transactional_messages USING btree (workspace_id, mailing_id, send_id);
alter table transactional_messages enable row level security;
create policy tenant on transactional_messages for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on transactional_messages to email_manager_app;

create table two_factors (
  id bigint generated always as identity,
  user_id bigint not null,
  secret text not null,
  backup_codes text not null,
  verified boolean default false not null,
  failed_verification_count integer default 0 not null,
  locked_until timestamp with time zone,
  constraint two_factors_pkey PRIMARY KEY (id),
  constraint two_factors_user_id_key UNIQUE (user_id),
  constraint two_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
grant delete, insert, select, update on two_factors to email_manager_app;

create table uk_counts (
  workspace_id bigint not null,
  basis text not null,
  counts jsonb not null,
  counted_at timestamp with time zone default now() not null,
  constraint uk_counts_pkey PRIMARY KEY (workspace_id)
);
alter table uk_counts enable row level security;
create policy tenant on uk_counts for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on uk_counts to email_manager_app;

create table uptime_spans (
  id bigint generated always as identity,
  process text not null,
  host text not null,
  role text not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  stopped_at timestamp with time zone,
  constraint uptime_spans_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uptime_spans_open ON public.uptime_spans USING btree (process) WHERE (stopped_at IS NULL);
CREATE INDEX uptime_spans_seen_at ON public.uptime_spans USING btree (seen_at);
grant delete, insert, select, update on uptime_spans to email_manager_app;

create table users (
  id bigint generated always as identity,
  name text not null,
  email text not null,
  email_verified boolean default false not null,
  image text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  two_factor_enabled boolean default false not null,
  suspended_at timestamp with time zone,
  suspended_by text,
  suspension_reason text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email)
);
grant delete, insert, select, update on users to email_manager_app;

create table verdict_profiles (
  workspace_id bigint not null,
  id integer generated always as identity,
  verdict text not null,
  reasons text[] not null,
  risk smallint not null,
  kind text,
  uk text,
  contacts bigint default 0 not null,
  constraint verdict_profiles_pkey PRIMARY KEY (workspace_id, id),
  constraint verdict_profiles_risk_check CHECK (((risk >= 0) AND (risk <= 100))),
  constraint verdict_profiles_verdict_check CHECK ((verdict = ANY (ARRAY['valid'::text, 'risky'::text, 'invalid'::text, 'unknown'::text])))
);
CREATE UNIQUE INDEX verdict_profiles_content ON public.verdict_profiles USING btree (workspace_id, verdict, reasons, risk, kind, uk) NULLS NOT DISTINCT;
alter table verdict_profiles enable row level security;
create policy tenant on verdict_profiles for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on verdict_profiles to email_manager_app;

create table verification_runs (
  workspace_id bigint not null,
  id bigint generated always as identity,
  task_id bigint not null,
  whole boolean not null,
  through_id bigint,
  dns boolean not null,
  selection jsonb,
  result jsonb,
  started_by text,
  started_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint verification_runs_pkey PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX verification_runs_task ON public.verification_runs USING btree (workspace_id, task_id);
alter table verification_runs enable row level security;
create policy tenant on verification_runs for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on verification_runs to email_manager_app;

create unlogged table verification_uses (
  workspace_id bigint not null,
  user_id bigint not null,
  full_at timestamp with time zone not null,
  constraint verification_uses_pkey PRIMARY KEY (workspace_id, user_id)
);
alter table verification_uses enable row level security;
create policy tenant on verification_uses for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on verification_uses to email_manager_app;

create table verifications (
  id bigint generated always as identity,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX verifications_identifier ON public.verifications USING btree (identifier);
grant delete, insert, select, update on verifications to email_manager_app;

create table view_choices (
  workspace_id bigint not null,
  user_id bigint not null,
  screen text not null,
  default_view_id bigint,
  columns text[],
  constraint view_choices_pkey PRIMARY KEY (workspace_id, user_id, screen),
  constraint view_choices_screen_check CHECK ((screen = 'contacts'::text))
);
alter table view_choices enable row level security;
create policy tenant on view_choices for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on view_choices to email_manager_app;

create table warm_ups (
  workspace_id bigint not null,
  domain text not null,
  begun_on date not null,
  first integer not null,
  double_every smallint not null,
  most integer not null,
  day date,
  day_sent integer default 0 not null,
  constraint warm_ups_pkey PRIMARY KEY (workspace_id, domain),
  constraint warm_ups_check CHECK ((most >= first)),
  constraint warm_ups_double_every_check CHECK ((double_every > 0)),
  constraint warm_ups_first_check CHECK ((first > 0))
);
alter table warm_ups enable row level security;
create policy tenant on warm_ups for all to public using ((workspace_id = ( SELECT current_workspace() AS current_workspace))) with check ((workspace_id = ( SELECT current_workspace() AS current_workspace)));
grant delete, insert, select, update on warm_ups to email_manager_app;

create table workspaces (
  id bigint generated always as identity,
  name text not null,
  slug text default (pg_catalog.gen_random_uuid())::text not null,
  logo text,
  metadata text,
  created_at timestamp with time zone default now() not null,
  requires_two_factor boolean default false not null,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_slug_key UNIQUE (slug)
);
grant delete, insert, select, update on workspaces to email_manager_app;

CREATE OR REPLACE FUNCTION public.address_hash(kind text, local text, domain text, key bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case kind
    when 'md5' then decode(md5(local || '@' || domain), 'hex')
    when 'sha1' then digest(local || '@' || domain, 'sha1')
    when 'sha256' then sha256(convert_to(local || '@' || domain, 'UTF8'))
    when 'hmac' then hmac(convert_to(local || '@' || domain, 'UTF8'), key, 'sha256')
  end
$function$;

CREATE OR REPLACE FUNCTION public.are_domains_of_others(names text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with proved as (
    select d.workspace_id = current_workspace() as is_own
    from sender_domains d
    where d.domain = any(names) and exists (
      select from sender_keys k
      where k.workspace_id = d.workspace_id and k.domain_id = d.id and k.seen_at is not null
    )
  )
  select coalesce(bool_and(not is_own), false) from proved
$function$;

CREATE OR REPLACE FUNCTION public.claim_abandoned_imports(seconds integer)
 RETURNS TABLE(workspace_id bigint, id bigint, status text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update imports i
  set lease_until = now() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id from imports o
    where o.status in ('uploading', 'checking', 'processing') and o.lease_until < now()
    for update skip locked
  ) abandoned
  where i.workspace_id = abandoned.workspace_id and i.id = abandoned.id
  returning i.workspace_id, i.id, i.status
$function$;
grant execute on function claim_abandoned_imports(integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.claim_freeze(run uuid, seconds integer, leave_out bigint[])
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select pg_advisory_xact_lock(7213, 0);
  update mailings m
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id from mailings o
    where o.status = 'freezing' and o.ended_at is null and o.id <> all(leave_out)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and not exists (
        select from mailings other
        where other.workspace_id = o.workspace_id and other.status = 'freezing' and other.ended_at is null
          and other.lease_until >= clock_timestamp()
      )
    order by o.id limit 1
    for update of o skip locked
  ) next
  where m.workspace_id = next.workspace_id and m.id = next.id
  returning m.workspace_id, m.id
$function$;
grant execute on function claim_freeze(uuid,integer,bigint[]) to email_manager_app;

CREATE OR REPLACE FUNCTION public.claim_import(run uuid, seconds integer, each_workspace integer, leave_out bigint[])
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select pg_advisory_xact_lock(7209, 0);
  with at_work as materialized (
    -- Without a file key it is still arriving, which takes no engine.
    select r.workspace_id from imports r
    where r.status in ('uploading', 'checking', 'processing') and r.lease_until >= clock_timestamp()
      and r.file_key is not null
  )
  update imports i
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id
    from imports o
    cross join lateral (
      select count(*) as under_way from at_work r where r.workspace_id = o.workspace_id
    ) busy
    where o.status in ('uploading', 'checking', 'processing') and o.id <> all(leave_out)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and busy.under_way < each_workspace
      and (o.file_key is null or (select count(*) from at_work) < 4)
    order by busy.under_way, o.created_at, o.id
    limit 1
    for update of o skip locked
  ) next
  where i.workspace_id = next.workspace_id and i.id = next.id
  returning i.workspace_id, i.id
$function$;
grant execute on function claim_import(uuid,integer,integer,bigint[]) to email_manager_app;

CREATE OR REPLACE FUNCTION public.claim_mailing_part(run uuid, seconds integer, of_kind text, leave_out bigint[], full_ones bigint[])
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with leased as materialized (
    select r.workspace_id, r.mailing_id, count(*) as parts from send_parts r
    where r.lease is not null and r.status <> 'done' and r.lease_until >= clock_timestamp()
    group by r.workspace_id, r.mailing_id
  ), open as (
    select m.workspace_id, m.id, m.status, m.served_at, coalesce(l.parts, 0) as under_way
    from mailings m
    left join leased l on l.workspace_id = m.workspace_id and l.mailing_id = m.id
    -- Of a cancelled one, those who wait are still to be written down as skipped.
    where m.status in ('sending', 'cancelled') and m.ended_at is null and m.kind = of_kind
      and coalesce(m.wait_until, '-infinity') < clock_timestamp()
  ), turns as (
    select o.*, sum(o.under_way) over w as workspace_under_way, max(o.served_at) over w as workspace_served_at
    from open o window w as (partition by o.workspace_id)
  ), next as materialized (
    -- In their order, so that no part is locked but the one that is claimed.
    select q.workspace_id, q.id, t.id as mailing_id
    from (
      select * from turns
      where turns.workspace_id <> all(full_ones)
      order by turns.status = 'cancelled', workspace_under_way, workspace_served_at nulls first, under_way,
        served_at nulls first, turns.id
    ) t
    cross join lateral (
      select s.workspace_id, s.id from send_parts s
      where s.workspace_id = t.workspace_id and s.mailing_id = t.id and s.status <> 'done'
        and coalesce(s.lease_until, '-infinity') < clock_timestamp() and s.id <> all(leave_out)
        and (s.not_before is null or s.not_before <= clock_timestamp() or t.status = 'cancelled')
      order by s.id limit 1
      for update skip locked
    ) q
    limit 1
  ), served as (
    update mailings m set served_at = clock_timestamp()
    from (
      -- Somebody who cancels it holds the mailing and waits for its parts.
      select l.workspace_id, l.id from mailings l
      where (l.workspace_id, l.id) in (select n.workspace_id, n.mailing_id from next n)
      for no key update skip locked
    ) free
    where m.workspace_id = free.workspace_id and m.id = free.id
  )
  update send_parts p
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from next
  where p.workspace_id = next.workspace_id and p.id = next.id
  returning p.workspace_id, p.id
$function$;

CREATE OR REPLACE FUNCTION public.claim_send_part(run uuid, seconds integer, leave_out bigint[])
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with open as materialized (
    select m.workspace_id, m.id, m.kind, m.status,
      (select count(*) from send_parts r
       where r.workspace_id = m.workspace_id and r.mailing_id = m.id and r.status <> 'done'
         and r.lease is not null and r.lease_until >= clock_timestamp()) as under_way
    from mailings m
    -- Of a cancelled one, those who wait are still to be written down as skipped.
    where m.status in ('sending', 'cancelled') and m.ended_at is null
      and coalesce(m.wait_until, '-infinity') < clock_timestamp()
  ), turns as (
    select o.*, sum(under_way) over (partition by workspace_id) as workspace_under_way from open o
  )
  update send_parts p
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select q.workspace_id, q.id
    from turns t
    cross join lateral (
      select s.workspace_id, s.id from send_parts s
      where s.workspace_id = t.workspace_id and s.mailing_id = t.id and s.status <> 'done'
        and coalesce(s.lease_until, '-infinity') < clock_timestamp() and s.id <> all(leave_out)
        and (s.not_before is null or s.not_before <= clock_timestamp() or t.status = 'cancelled')
      order by s.id limit 1
      for update skip locked
    ) q
    order by t.status = 'cancelled', t.kind <> 'transactional', t.workspace_under_way, t.under_way, t.id
    limit 1
  ) next
  where p.workspace_id = next.workspace_id and p.id = next.id
  returning p.workspace_id, p.id
$function$;
grant execute on function claim_send_part(uuid,integer,bigint[]) to email_manager_app;

CREATE OR REPLACE FUNCTION public.claim_task(run uuid, kinds text[], seconds integer, each_workspace integer, patience integer)
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update tasks t
  set status = 'running', lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds),
      attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp())
  from (
    select o.workspace_id, o.id
    from tasks o
    cross join lateral (
      select count(*) as under_way from tasks r
      where r.status = 'running' and r.lease_until >= clock_timestamp() and r.workspace_id = o.workspace_id
    ) busy
    where o.status in ('waiting', 'running') and o.kind = any(kinds)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and o.created_at <= clock_timestamp() - make_interval(secs => patience)
      and busy.under_way < each_workspace
    order by busy.under_way, o.created_at, o.id
    limit 1
    for update of o skip locked
  ) next
  where t.workspace_id = next.workspace_id and t.id = next.id
  returning t.workspace_id, t.id
$function$;
grant execute on function claim_task(uuid,text[],integer,integer,integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.claim_waiting_task(run uuid, kinds text[], seconds integer, each_workspace integer, patience integer, leave_out bigint[])
 RETURNS TABLE(workspace_id bigint, id bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select pg_advisory_xact_lock(7210, 0);
  update tasks t
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id
    from tasks o
    cross join lateral (
      select count(*) as under_way from tasks r
      where r.status in ('waiting', 'running') and r.lease is not null and r.lease_until >= clock_timestamp()
        and r.workspace_id = o.workspace_id
    ) busy
    where o.status in ('waiting', 'running') and o.kind = any(kinds) and o.id <> all(leave_out)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
      and o.created_at <= clock_timestamp() - make_interval(secs => patience)
      and busy.under_way < each_workspace
    order by busy.under_way, o.created_at, o.id
    limit 1
    for update of o skip locked
  ) next
  where t.workspace_id = next.workspace_id and t.id = next.id
  returning t.workspace_id, t.id
$function$;
grant execute on function claim_waiting_task(uuid,text[],integer,integer,integer,bigint[]) to email_manager_app;

CREATE OR REPLACE FUNCTION public.contacts_by_now(workspace bigint, contacts bigint[])
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  with recursive same (id) as (
    select unnest(contacts)
    union
    select n.id from same s cross join lateral (
      select m.kept_id as id from merged_contacts x
      join merges m on m.workspace_id = workspace and m.id = x.merge_id and m.undone_at is null
      where x.workspace_id = workspace and x.contact_id = s.id
        -- One that is back from the bin is itself again. What its reader wishes holds for it alone.
        and not exists (select from contacts c where c.workspace_id = workspace and c.id = s.id)
      union all
      select r.to_contact_id from address_requests r
      where r.workspace_id = workspace and r.contact_id = s.id and r.to_contact_id is not null
      union all
      -- It may have left since, and come back as another.
      select c.id from address_requests r
      join contacts c on c.workspace_id = workspace and c.domain = r.domain and c.local = r.local and c.state <> 2
      where r.workspace_id = workspace and r.contact_id = s.id and r.to_contact_id is not null
    ) n
  )
  select id from same
$function$;

CREATE OR REPLACE FUNCTION public.contains_pattern(term text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select '%' || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%' $function$;

CREATE OR REPLACE FUNCTION public.current_workspace()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.workspace_id', true), '')::bigint $function$;

CREATE OR REPLACE FUNCTION public.domain_and_parents(domain text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when domain like '%.%.%.%.%' then domain_and_parents_of_many_labels(domain)
    else array[
      domain,
      substr(domain, strpos(domain, '.') + 1),
      substr(substr(domain, strpos(domain, '.') + 1), strpos(substr(domain, strpos(domain, '.') + 1), '.') + 1),
      split_part(domain, '.', -1)
    ]
  end
$function$;

CREATE OR REPLACE FUNCTION public.domain_and_parents_of_many_labels(domain text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_agg(array_to_string(labels[start:], '.'))
  from (select string_to_array(domain, '.') as labels) split, generate_subscripts(labels, 1) as start
$function$;

CREATE OR REPLACE FUNCTION public.drop_event_months(months integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  oldest timestamp := (now() at time zone 'UTC') - make_interval(months => greatest(months, 24));
  part text;
  dropped integer := 0;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'tracking_events'::regclass and c.relname ~ '^tracking_events_\d{4}_\d{2}$'
      and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= oldest
    order by 1
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$function$;
grant execute on function drop_event_months(integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.entry_given(reason text, refuses_all boolean, note text, given text, given_note text, bounced boolean, bounced_note text)
 RETURNS TABLE(next_reason text, next_refuses_all boolean, next_note text)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE ROWS 1
AS $function$
  select n.reason,
    refuses_all or (bounced or entry_given.reason = 'bounced') and not holds_for_every_message(n.reason),
    case
      when n.reason <> entry_given.reason
        then concat_ws('. ', given_note, concat_ws(', ', 'On the list before: ' || entry_given.reason, note),
          case when bounced then concat_ws(': ', 'Bounced since', bounced_note) end)
      else concat_ws('. ', note, concat_ws(': ', 'Bounced since', bounced_note))
    end
  from (
    select case when reason_weight(given) > reason_weight(entry_given.reason) then given else entry_given.reason end as reason
  ) n
$function$;

CREATE OR REPLACE FUNCTION public.expire_tasks(days integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (
    delete from tasks where finished_at < now() - make_interval(days => days) returning 1
  )
  select count(*) from gone
$function$;
grant execute on function expire_tasks(integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.forget_idempotency_keys(hours integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ delete from idempotency_keys where created_at < now() - make_interval(hours => hours) $function$;
grant execute on function forget_idempotency_keys(integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.hashed_suppressions(local text, domain text)
 RETURNS TABLE(kind text, hash bytea, reason text, refuses_all boolean, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 1
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select h.kind, h.hash, h.reason, h.refuses_all, h.created_at
  from unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind)
  cross join lateral (
    select address_hash(any_kind.kind, $1, $2, (select k.key from suppression_keys k where k.workspace_id = current_workspace())) as hash
  ) own
  join suppression_hashes h
    on h.workspace_id = current_workspace() and h.kind = any_kind.kind and h.hash = own.hash
$function$;

CREATE OR REPLACE FUNCTION public.holds_for_every_message(reason text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (reason = ANY (ARRAY['bounced'::text, 'complained'::text, 'erased'::text]));

CREATE OR REPLACE FUNCTION public.image_tokens_in(content text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT DISTINCT found.found[1] AS found FROM regexp_matches(image_tokens_in.content, '[1-9][0-9]*-([A-Za-z0-9_-]{22})\.(?:png|jpg|gif)'::text, 'g'::text) found(found));

CREATE OR REPLACE FUNCTION public.import_counts_everywhere()
 RETURNS TABLE(status text, imports bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select i.status, count(*) from imports i group by i.status $function$;
grant execute on function import_counts_everywhere() to email_manager_app;

CREATE OR REPLACE FUNCTION public.import_figures(month_start timestamp with time zone, recent_start timestamp with time zone)
 RETURNS TABLE(rows_ever bigint, rows_this_month bigint, recent_imports bigint, recent_rows bigint, recent_seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(sum(i.rows), 0)::bigint,
         coalesce(sum(i.rows) filter (where i.finished_at >= month_start), 0)::bigint,
         count(*) filter (where i.finished_at >= recent_start and i.started_at is not null),
         coalesce(sum(i.rows) filter (where i.finished_at >= recent_start and i.started_at is not null), 0)::bigint,
         coalesce(sum(extract(epoch from i.finished_at - i.started_at)) filter (where i.finished_at >= recent_start), 0)::float8
  from imports i where i.status = 'completed'
$function$;
grant execute on function import_figures(timestamp with time zone,timestamp with time zone) to email_manager_app;

CREATE OR REPLACE FUNCTION public.imports_everywhere(states text[], skip bigint, take bigint)
 RETURNS TABLE(workspace_id bigint, id bigint, file_name text, file_size bigint, status text, rows bigint, phase text, share double precision, error text, started_by text, attempts integer, created_at timestamp with time zone, started_at timestamp with time zone, finished_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select i.workspace_id, i.id, i.file_name, i.file_size, i.status, coalesce(i.rows, (i.progress ->> 'rows')::bigint),
         i.progress ->> 'phase', (i.progress ->> 'share')::float8, i.error, u.name, i.attempts, i.created_at, i.started_at,
         i.finished_at
  from imports i left join users u on u.id = i.created_by::bigint
  where i.status = any(states)
  order by i.created_at desc, i.workspace_id, i.id desc offset skip limit take
$function$;
grant execute on function imports_everywhere(text[],bigint,bigint) to email_manager_app;

CREATE OR REPLACE FUNCTION public.index_recent_blocks(at_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  moved integer;
begin
  with picked as materialized (
    select r.ctid as place from contact_search_recent r
    order by r.workspace_id, r.first_id limit at_most
    for update skip locked
  ),
  taken as (
    delete from contact_search_recent r using picked where r.ctid = picked.place
    returning r.workspace_id, r.first_id, r.last_id, r.addresses
  ),
  written as (
    insert into contact_search (workspace_id, first_id, last_id, addresses)
    select workspace_id, min(first_id), max(last_id), string_agg(addresses, E'\n')
    from taken group by workspace_id, first_id / 16
  )
  select count(*) into moved from taken;
  -- What stands in the index's waiting list is read by every search.
  if moved > 0 then perform gin_clean_pending_list('contact_search_trigrams'); end if;
  return moved;
end
$function$;
grant execute on function index_recent_blocks(integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.kept_messages_to(beginning text, of_mailing bigint, before bigint, at_most integer)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  tenant bigint := current_workspace();
  pattern text := replace(replace(replace(beginning, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
    select o.id from outbox_messages o
    where o.workspace_id = tenant and lower(o.recipient) like pattern
      and (of_mailing is null or o.mailing_id = of_mailing) and (before is null or o.id < before)
    order by o.id desc limit at_most;
end
$function$;

CREATE OR REPLACE FUNCTION public.make_event_months(first timestamp with time zone, months integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  begins timestamp;
  part text;
  bounds text[];
  made integer := 0;
begin
  for begins in
    select date_trunc('month', first at time zone 'UTC') + make_interval(months => n)
    from generate_series(0, months - 1) n
  loop
    part := 'tracking_events_' || to_char(begins, 'YYYY_MM');
    continue when to_regclass('public.' || part) is not null;
    -- What is written meanwhile waits for a moment.
    lock table tracking_events_rest in access exclusive mode;
    -- Another process may have been faster.
    continue when to_regclass('public.' || part) is not null;
    bounds := array[begins at time zone 'UTC', (begins + interval '1 month') at time zone 'UTC']::text[];
    execute format('create table %I (like tracking_events including defaults including constraints)', part);
    execute format('alter table %I enable row level security', part);
    if exists (select from pg_roles where rolname = 'email_manager_app') then
      execute format('revoke all on %I from email_manager_app', part);
    end if;
    execute format(
      'with taken as (delete from tracking_events_rest where at >= %L and at < %L returning *)
       insert into %I select * from taken', bounds[1], bounds[2], part);
    execute format('alter table tracking_events attach partition %I for values from (%L) to (%L)',
      part, bounds[1], bounds[2]);
    made := made + 1;
  end loop;
  return made;
end
$function$;
grant execute on function make_event_months(timestamp with time zone,integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.outdated_statistics()
 RETURNS SETOF name
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
BEGIN ATOMIC
 SELECT t.name
    FROM ( SELECT s.relname AS name,
             s.n_mod_since_analyze AS changed,
             c.relpages AS pages,
             ((pg_relation_size((c.oid)::regclass) / (current_setting('block_size'::text))::integer) - GREATEST(c.relpages, 0)) AS grown,
             GREATEST(s.last_analyze, s.last_autoanalyze) AS renewed_at
            FROM (pg_stat_user_tables s
              JOIN pg_class c ON ((c.oid = s.relid)))
           WHERE ((s.schemaname = 'public'::name) AND (c.relkind = 'r'::"char") AND (c.relpersistence = 'p'::"char"))) t
   WHERE (
         CASE
             WHEN (t.pages < 2000) THEN ((t.changed >= 1000) OR (t.grown >= 16))
             ELSE ((t.changed >= 5000) OR (t.grown >= 64))
         END AND ((t.pages < 20000) OR (t.renewed_at IS NULL) OR (t.renewed_at < (clock_timestamp() - '00:00:10'::interval))))
   ORDER BY t.name;
END;

CREATE OR REPLACE FUNCTION public.reason_weight(reason text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE reason WHEN 'unsubscribed'::text THEN 1 WHEN 'complained'::text THEN 2 WHEN 'erased'::text THEN 3 ELSE 0 END;

CREATE OR REPLACE FUNCTION public.renew_statistics(table_name name)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format('analyze (skip_locked) public.%I', table_name);
end
$function$;
grant execute on function renew_statistics(name) to email_manager_app;

CREATE OR REPLACE FUNCTION public.search_blocks(term text, at_most integer)
 RETURNS TABLE(first_id bigint, last_id bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  tenant bigint := current_workspace();
begin
  if tenant is null then return; end if;
  -- Without three letters in a row there are no trigrams that would tell blocks apart: read them all, with the cheaper test.
  if search_text(term) !~ '[[:alnum:]]{3}' then
    return query
      select r.first_id, r.last_id from contact_search_recent r
      where r.workspace_id = tenant and strpos(r.addresses, term) > 0
      union all
      select s.first_id, s.last_id from contact_search s
      where s.workspace_id = tenant and strpos(s.addresses, term) > 0
      limit at_most;
    return;
  end if;
  return query
    select b.first_id, b.last_id from (
      select r.first_id, r.last_id from contact_search_recent r
      where r.workspace_id = tenant and strpos(r.addresses, term) > 0
      union all
      select s.first_id, s.last_id from contact_search s
      where s.workspace_id = tenant and search_text(s.addresses) like contains_pattern(search_text(term))
    ) b limit at_most;
end
$function$;
grant execute on function search_blocks(text,integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.search_suppressions(list text, term text, only_reason text, after bigint, skip bigint, take bigint)
 RETURNS TABLE(id bigint, total bigint, is_estimate boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  tenant bigint := current_workspace();
  source text := case list when 'email' then 'suppressions' when 'domain' then 'domain_suppressions' end;
  content text := case list when 'email' then 's.local || ''@'' || s.domain' else 's.domain' end;
  of_reason text := case when only_reason is null then '' else ' and s.reason = $2' end;
  further text := case when after is null then '' else ' and s.id < $7' end;
  entries bigint;
  hits bigint := 0;
  share float8;
  ids bigint[];
  matches bigint;
begin
  if tenant is null or source is null then return; end if;
  select coalesce(sum(c.entries), 0) into entries from suppression_counts c
  where c.workspace_id = tenant and c.list = search_suppressions.list and (only_reason is null or c.part = only_reason);

  if entries > 50000 then
    execute format($q$
      with ends as (
        select min(s.id) as low, max(s.id) + 1 as high from %1$I s where s.workspace_id = $1 %3$s
      ),
      stretch as (
        select low + (high - low) * place / 64 as first, low + (high - low) * (place + 1) / 64 as next
        from ends, generate_series(0, 63) as place
      ),
      seen as (
        select stretch.next, count(*) as entries, count(*) filter (where strpos(part.content, $3) > 0) as hits,
               min(part.id) as low, max(part.id) as high
        from stretch cross join lateral (
          select s.id, %2$s as content from %1$I s
          where s.workspace_id = $1 %3$s and s.id >= stretch.first and s.id < stretch.next
          order by s.id limit 256
        ) part
        group by stretch.next
      ),
      weighed as (
        select hits, hits::float8 / entries as share,
               case when entries < 256 then entries else entries::float8 / (high - low + 1) * (next - low) end as weight
        from seen
      )
      select coalesce(sum(hits), 0), sum(share * weight) / nullif(sum(weight), 0) from weighed
    $q$, source, content, of_reason) into hits, share using tenant, only_reason, term;
  end if;

  if hits >= 40 then
    matches := round(share * entries);
    if skip <= matches * 1.25 then
      return query execute format(
        'select s.id, $4, true from %1$I s where s.workspace_id = $1 %3$s %4$s and strpos(%2$s, $3) > 0
         order by s.id desc offset $5 limit $6', source, content, of_reason, further)
        using tenant, only_reason, term, matches, skip, take, after;
    end if;
    if not found then return query select null::bigint, matches, true; end if;
    return;
  end if;
  execute format('select array_agg(s.id) from %1$I s where s.workspace_id = $1 %3$s and %2$s like $3', source, content, of_reason)
    into ids using tenant, only_reason, contains_pattern(term);
  matches := coalesce(cardinality(ids), 0);
  return query select one, matches, false from unnest(ids) one where after is null or one < after
    order by one desc offset skip limit take;
  if not found then
    return query select null::bigint, matches, false;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.search_text(addresses text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select replace(replace(replace(replace(addresses, '@', 'qz'), '.', 'qx'), '-', 'qj'), '_', 'qv') $function$;

CREATE OR REPLACE FUNCTION public.sequence_events(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  moved integer;
begin
  if not pg_try_advisory_xact_lock(7214, 0) then
    return 0;
  end if;
  with taken as (
    delete from event_inbox
    where (workspace_id, id) in (select i.workspace_id, i.id from event_inbox i order by i.id limit most)
    returning *
  ), kept as (
    insert into events (workspace_id, type, subject_id, data, contact_ids, at)
    select workspace_id, type, subject_id, data, contact_ids, at from taken order by id
    returning 1
  )
  select count(*) into moved from kept;
  return moved;
end $function$;

CREATE OR REPLACE FUNCTION public.sets_of_lists(needed jsonb, lists bigint[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(needed, CASE WHEN (lists = '{}'::bigint[]) THEN '[]'::jsonb ELSE jsonb_build_array(to_jsonb(lists)) END);

CREATE OR REPLACE FUNCTION public.suppress_hashed_contacts(first_id bigint, last_id bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  tenant bigint := current_workspace();
  added bigint;
begin
  if tenant is null or not exists (select from suppression_hashes h where h.workspace_id = tenant) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(7201, (tenant % 2147483647)::integer);
  with own as materialized (
    select c.domain, c.local, any_kind.kind, address_hash(any_kind.kind, c.local, c.domain, k.key) as hash
    from contacts c
    cross join unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind)
    left join suppression_keys k on k.workspace_id = c.workspace_id
    where c.workspace_id = tenant and c.id between first_id and last_id and c.domain <> ''
      and exists (select from suppression_hashes h where h.workspace_id = tenant and h.kind = any_kind.kind)
  ),
  given as materialized (
    select own.domain, own.local, bool_or(h.reason = 'bounced' or h.refuses_all) as bounced, min(h.created_at) as since,
      (array_agg(h.reason order by reason_weight(h.reason) desc, h.created_at))[1] as reason
    from own join suppression_hashes h on h.workspace_id = tenant and h.kind = own.kind and h.hash = own.hash
    group by own.domain, own.local
  ),
  made as (
    insert into suppressions (workspace_id, local, domain, reason, refuses_all, note, created_at, by_others)
    select tenant, local, domain, reason, bounced and not holds_for_every_message(reason), 'Known from a hashed list', since,
      true
    from given order by domain, local
    on conflict (workspace_id, domain, local) do nothing
    returning reason
  ),
  raised as (
    update suppressions t
    set (reason, refuses_all, note) = (
      select n.next_reason, n.next_refuses_all, n.next_note
      from entry_given(t.reason, t.refuses_all, t.note, g.reason, 'Known from a hashed list', g.bounced, 'Known from a hashed list') n)
    from given g
    where t.workspace_id = tenant and t.domain = g.domain and t.local = g.local
      and (t.reason, t.refuses_all) <> (
        select n.next_reason, n.next_refuses_all
        from entry_given(t.reason, t.refuses_all, null, g.reason, null, g.bounced, null) n)
    returning old.reason as was, new.reason as now
  ),
  counted as (
    insert into suppression_counts as c (workspace_id, list, part, entries)
    select tenant, 'email', part, sum(change)
    from (
      select reason as part, 1 as change from made
      union all select was, -1 from raised union all select now, 1 from raised
    ) changes
    group by part having sum(change) <> 0 order by part
    on conflict (workspace_id, list, part) do update set entries = c.entries + excluded.entries
  )
  select count(*) into added from made;
  return added;
end
$function$;

CREATE OR REPLACE FUNCTION public.task_counts_everywhere()
 RETURNS TABLE(status text, tasks bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select t.status, count(*) from tasks t group by t.status $function$;
grant execute on function task_counts_everywhere() to email_manager_app;

CREATE OR REPLACE FUNCTION public.tasks_everywhere(states text[], skip bigint, take bigint)
 RETURNS TABLE(workspace_id bigint, id bigint, kind text, title text, status text, done bigint, total bigint, phase text, error text, user_name text, cancel_requested boolean, attempts integer, created_at timestamp with time zone, started_at timestamp with time zone, finished_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select t.workspace_id, t.id, t.kind, t.title, t.status, t.done, t.total, t.phase, t.error,
         t.user_name, t.cancel_requested, t.attempts, t.created_at, t.started_at, t.finished_at
  from tasks t where t.status = any(states)
  order by t.created_at desc, t.id desc offset skip limit take
$function$;
grant execute on function tasks_everywhere(text[],bigint,bigint) to email_manager_app;

CREATE OR REPLACE FUNCTION public.test_without_content(test jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_set(test, '{variants}', (
    select coalesce(jsonb_agg(case when v ? 'content' then v || '{"content": ""}' else v end order by place), '[]')
    from jsonb_array_elements(test -> 'variants') with ordinality e (v, place)
  ))
$function$;

CREATE OR REPLACE FUNCTION public.transactional_messages_to(beginning text, of_batch bigint, in_states text[], before bigint, at_most integer)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 50
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  tenant bigint := current_workspace();
  pattern text := replace(replace(replace(beginning, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
    select t.id from transactional_messages t
    where t.workspace_id = tenant and lower(t.address) like pattern
      and (of_batch is null or t.mailing_id = of_batch)
      -- Looked up for one message after the other: a join would read the whole ledger first.
      and (in_states is null or (
        select s.state from sends s
        where s.workspace_id = t.workspace_id and s.mailing_id = t.mailing_id and s.id = t.send_id
      ) = any(in_states))
      and (before is null or t.id < before)
    order by t.id desc limit at_most;
end
$function$;

CREATE OR REPLACE FUNCTION public.use_api_key(workspace bigint, key_hash bytea, window_seconds integer)
 RETURNS TABLE(id bigint, name text, scopes text[], created_by bigint, workspace_name text, used integer, resets_in integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select id, name, scopes, holder_id, workspace_name, used, resets_in
  from use_held_key(workspace, key_hash, window_seconds)
$function$;
grant execute on function use_api_key(bigint,bytea,integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.use_held_key(workspace bigint, key_hash bytea, window_seconds integer)
 RETURNS TABLE(id bigint, name text, scopes text[], holder_id bigint, holder_name text, holder_role text, workspace_name text, used integer, resets_in integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  one api_keys%rowtype;
  holder record;
begin
  select * into one from api_keys k
  where k.workspace_id = workspace and k.hash = key_hash
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
  if not found then return; end if;
  select u.id, u.name, m.role into holder
  from members m join users u on u.id = m.user_id
  where m.workspace_id = workspace and m.user_id = coalesce(one.holder_id, one.created_by) and u.suspended_at is null;
  if not found then return; end if;
  if one.last_used_at is null or one.last_used_at < now() - interval '1 minute' then
    update api_keys k set last_used_at = now() where k.workspace_id = workspace and k.id = one.id;
  end if;
  return query
    with counted as (
      insert into api_key_uses as u (workspace_id, key_id, window_start, count)
      values (workspace, one.id, clock_timestamp(), 1)
      on conflict (workspace_id, key_id) do update set
        count = case when u.window_start <= clock_timestamp() - make_interval(secs => window_seconds)
                     then 1 else u.count + 1 end,
        window_start = case when u.window_start <= clock_timestamp() - make_interval(secs => window_seconds)
                            then clock_timestamp() else u.window_start end
      returning u.count, u.window_start
    )
    select one.id, one.name, one.scopes, holder.id, holder.name, holder.role, w.name, c.count,
           greatest(1, ceil(window_seconds - extract(epoch from clock_timestamp() - c.window_start)))::integer
    from counted c, workspaces w where w.id = workspace;
end
$function$;
grant execute on function use_held_key(bigint,bytea,integer) to email_manager_app;

CREATE OR REPLACE FUNCTION public.verification_figures(month_start timestamp with time zone, day_start timestamp with time zone)
 RETURNS TABLE(contacts_ever bigint, contacts_this_month bigint, runs_today bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select coalesce(sum((v.result ->> 'contacts')::bigint), 0)::bigint,
         coalesce(sum((v.result ->> 'contacts')::bigint) filter (where v.finished_at >= month_start), 0)::bigint,
         count(*) filter (where v.started_at >= day_start)
  from verification_runs v
$function$;
grant execute on function verification_figures(timestamp with time zone,timestamp with time zone) to email_manager_app;

CREATE OR REPLACE FUNCTION public.with_merged_into(workspace bigint, contacts bigint[])
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select contacts_by_now(workspace, contacts) $function$;

CREATE OR REPLACE FUNCTION public.workspaces_with_due_bounces()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct b.workspace_id from bounces b where b.is_due
$function$;

CREATE OR REPLACE FUNCTION public.workspaces_with_due_campaigns(hours_ahead integer)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct c.workspace_id from campaigns c
  where c.status = 'scheduled' and c.deleted_at is null and c.notice is null
    and c.send_at - case when c.by_recipient_zone then make_interval(hours => hours_ahead) else interval '0' end
      <= clock_timestamp()
$function$;

CREATE OR REPLACE FUNCTION public.workspaces_with_due_tests()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct t.workspace_id from mailing_tests t
  join mailings m on m.workspace_id = t.workspace_id and m.id = t.mailing_id and m.status <> 'cancelled'
  where t.winner is null and t.due_at is not null and t.due_at <= clock_timestamp() and t.decide_by <> 'hand'
$function$;

CREATE OR REPLACE FUNCTION public.workspaces_with_open_wishes()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct w.workspace_id from leave_wishes w where w.done_at is null
$function$;

CREATE OR REPLACE FUNCTION public.workspaces_with_waiting_leavings()
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct t.workspace_id from topic_leavings t where t.is_waiting
$function$;

alter default privileges in schema public grant select, usage on sequences to email_manager_app;
alter default privileges in schema public grant delete, insert, select, update on tables to email_manager_app;
