-- Contacts, suppressions, imports and what belongs to them.
-- Tenant tables begin with workspace_id and are bound by row-level security: the application's role sees only
-- the workspace named by `set local app.workspace_id`. The sub-select makes PostgreSQL read the setting once a
-- statement instead of once a row.

create extension if not exists pg_trgm;

create function current_workspace() returns bigint
language sql stable parallel safe
as $$ select nullif(current_setting('app.workspace_id', true), '')::bigint $$;

-- Every parent of a domain with any number of labels.
create function domain_and_parents_of_many_labels(domain text) returns text[]
language sql immutable parallel safe
as $$
  select array_agg(array_to_string(labels[start:], '.'))
  from (select string_to_array(domain, '.') as labels) split, generate_subscripts(labels, 1) as start
$$;

-- A domain and each of its parents: 'a.b.co.uk' gives {a.b.co.uk, b.co.uk, co.uk, uk}; some may stand twice. One
-- expression without a sub-select, and not STRICT, so that PostgreSQL puts it in the place of the call: called as a
-- function it costs 62 microseconds a domain, in place less than 2. Up to four labels, nearly all there are, go that way.
create function domain_and_parents(domain text) returns text[]
language sql immutable parallel safe
as $$
  select case
    when domain like '%.%.%.%.%' then domain_and_parents_of_many_labels(domain)
    else array[
      domain,
      substr(domain, strpos(domain, '.') + 1),
      substr(substr(domain, strpos(domain, '.') + 1), strpos(substr(domain, strpos(domain, '.') + 1), '.') + 1),
      split_part(domain, '.', -1)
    ]
  end
$$;

-- owner: contacts
-- One row a contact. `state` is about the address alone: 0 valid, 1 invalid, 2 a further copy of a contact that was
-- kept because "remove duplicates" was off. Suppressed is never stored here; it is derived from the suppression list.
-- There is no foreign key to workspaces: its trigger would cost more than the insert itself in an import of millions.
create table contacts (
  workspace_id bigint not null,
  id bigint generated always as identity,
  -- Lower case; with `domain` it is the identity key.
  local text collate "C" not null,
  -- IDNA ASCII, lower case; empty when an address that could not be read was let in.
  domain text collate "C" not null,
  -- As given, when that is not local || '@' || domain.
  address text,
  state smallint not null default 0 check (state in (0, 1, 2)),
  name text,
  source text,
  date text,
  attributes jsonb,
  notes text,
  import_id bigint,
  created_at timestamptz not null default now(),
  -- Set when a person or a later import changed the contact; an undo leaves such contacts alone.
  changed_at timestamptz,
  primary key (workspace_id, id)
);
create unique index contacts_identity on contacts (workspace_id, domain, local) where state <> 2;
create index contacts_not_valid on contacts (workspace_id, state, id) where state <> 0;

-- owner: contacts
-- The text that substring search reads: one row holds the addresses of up to 64 contacts with neighbouring ids, a line
-- each. A row is a hint, never an answer: it may name contacts that are gone, so every hit is checked against
-- `contacts`. New blocks are written here, without a trigram index, in the transaction that adds the contacts;
-- a job moves them to `contact_search`. So an import does not wait for the index (13 s of 26 s for 1.4 million rows),
-- and a search reads the few recent blocks one by one.
create table contact_search_recent (
  workspace_id bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  addresses text collate "C" not null
) with (autovacuum_vacuum_scale_factor = 0.05);
create index contact_search_recent_range on contact_search_recent (workspace_id, first_id);

-- owner: contacts
-- Blocks that the trigram index covers.
create table contact_search (
  workspace_id bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  addresses text collate "C" not null
);
create index contact_search_range on contact_search (workspace_id, first_id);
create index contact_search_trigrams on contact_search using gin (addresses gin_trgm_ops);

-- owner: contacts
-- Rollup: contacts by domain. `*_suppressed` counts those whose own address is on the suppression list; `blocked` says
-- that the domain (or a parent) is, which suppresses them all.
create table contact_domains (
  workspace_id bigint not null,
  domain text collate "C" not null,
  valid bigint not null default 0,
  invalid bigint not null default 0,
  duplicate bigint not null default 0,
  valid_suppressed bigint not null default 0,
  invalid_suppressed bigint not null default 0,
  duplicate_suppressed bigint not null default 0,
  blocked boolean not null default false,
  primary key (workspace_id, domain)
) with (fillfactor = 80);

-- owner: contacts
-- Rollup: one row a workspace; what the dashboard shows.
create table contact_counts (
  workspace_id bigint primary key,
  active bigint not null default 0,
  suppressed bigint not null default 0,
  invalid bigint not null default 0,
  duplicate bigint not null default 0,
  domains bigint not null default 0,
  active_before_import bigint,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

-- owner: contacts
-- The counts at the end of each day on which they changed; the dashboard's sparklines.
create table contact_counts_daily (
  workspace_id bigint not null,
  day date not null,
  active bigint not null,
  suppressed bigint not null,
  invalid bigint not null,
  domains bigint not null,
  primary key (workspace_id, day)
) with (fillfactor = 50);

-- owner: contacts
-- One removal of one or of millions of contacts, which can be restored until it expires.
create table removals (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('delete', 'clean', 'undo_import')),
  contacts bigint not null default 0,
  import_id bigint,
  removed_by text,
  created_at timestamptz not null default now(),
  restored_at timestamptz,
  primary key (workspace_id, id)
);

-- owner: contacts
-- The bin: removed contacts as they were.
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
  created_at timestamptz not null,
  changed_at timestamptz,
  primary key (workspace_id, removal_id, id)
);

-- owner: suppressions
create table suppressions (
  workspace_id bigint not null,
  id bigint generated always as identity,
  local text collate "C" not null,
  domain text collate "C" not null,
  reason text not null check (reason in ('manual', 'unsubscribed', 'bounced', 'complained', 'erased', 'imported')),
  note text,
  created_by text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index suppressions_identity on suppressions (workspace_id, domain, local);

-- owner: suppressions
-- Covers the domain and its subdomains.
create table domain_suppressions (
  workspace_id bigint not null,
  id bigint generated always as identity,
  domain text collate "C" not null,
  reason text not null check (reason in ('manual', 'imported')),
  note text,
  created_by text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index domain_suppressions_domain on domain_suppressions (workspace_id, domain);

-- owner: imports
create table imports (
  workspace_id bigint not null,
  id bigint generated always as identity,
  file_name text not null,
  file_size bigint not null default 0,
  -- Where the uploaded file and the receipt are kept; null when they are not there (any more).
  file_key text,
  receipt_key text,
  -- uploading -> processing -> completed | failed; with a dry run first: checking -> checked -> processing -> …
  status text not null check (status in ('uploading', 'checking', 'checked', 'processing', 'completed', 'failed')),
  options jsonb not null,
  -- The dialect and column targets a person chose; what is absent is detected.
  reading jsonb,
  rows bigint,
  imported bigint,
  duplicates bigint,
  invalid bigint,
  suppressed bigint,
  non_uk bigint,
  -- Malformed records: how many of each kind, and the first of them.
  problems jsonb,
  -- The first rows of each fate that were left out, for the screen; all of them are in the receipt.
  samples jsonb,
  -- The last dry run.
  dry_run jsonb,
  -- How far it is, renewed with the lease.
  progress jsonb,
  error text,
  error_code text,
  -- The process at work renews this; when it has passed, the import is run again from the stored file.
  lease_until timestamptz,
  attempts integer not null default 0,
  -- The first and last contact id this import added.
  first_contact_id bigint,
  last_contact_id bigint,
  removal_id bigint,
  created_by text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  undone_at timestamptz,
  primary key (workspace_id, id)
);
create index imports_open on imports (lease_until) where status in ('uploading', 'checking', 'processing');

-- owner: imports
-- Rows of an import on their way in, and the same rows with their fate. Four pairs of tables, each lent to one import at
-- a time by an advisory lock, so that emptying one is a TRUNCATE and leaves nothing to vacuum. No row-level security:
-- COPY does not work under it. What a pair holds is gone before it is lent again, and unlogged: a crash empties it.
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
  attributes jsonb
) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_staging_2 (like import_staging_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_staging_3 (like import_staging_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_staging_4 (like import_staging_1) with (autovacuum_enabled = false);

-- owner: imports
-- `fate`: 0 imported, 1 duplicate, 2 suppressed. Rows stand in the order of the identity key.
create unlogged table import_judged_1 (
  like import_staging_1,
  fate smallint not null,
  -- The line of the first row in the file with the same identity key.
  first_line bigint not null,
  detail text
) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_judged_2 (like import_judged_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_judged_3 (like import_judged_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_judged_4 (like import_judged_1) with (autovacuum_enabled = false);

do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant truncate on
      import_staging_1, import_staging_2, import_staging_3, import_staging_4,
      import_judged_1, import_judged_2, import_judged_3, import_judged_4
    to email_manager_app;
  end if;
end
$$;

-- owner: activities
create table activities (
  workspace_id bigint not null,
  id bigint generated always as identity,
  action text not null,
  details text not null,
  status text not null,
  icon text not null,
  icon_color text not null check (icon_color in ('primary', 'error', 'warning', 'accent', 'success')),
  actor text,
  -- The long-running thing this line tells of, so that it can be updated: 'import:12'.
  subject text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index activities_subject on activities (workspace_id, subject) where subject is not null;

-- owner: audit
-- Who did what to which data. Insert-only: the application's role may neither change nor delete a line.
create table audit_log (
  workspace_id bigint not null,
  id bigint generated always as identity,
  actor text,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- owner: settings
-- One row a workspace that changed a setting; a section that is null has its defaults.
create table settings (
  workspace_id bigint primary key,
  email_validation jsonb,
  import jsonb,
  export jsonb,
  updated_at timestamptz not null default now()
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'contacts', 'contact_search_recent', 'contact_search', 'contact_domains', 'contact_counts', 'contact_counts_daily', 'removals',
    'removed_contacts', 'suppressions', 'domain_suppressions', 'imports', 'activities', 'audit_log', 'settings'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;

-- Imports whose process has died, of all workspaces: their lease has passed. Claims them for `seconds` more, so that one
-- process alone takes each up. Runs as the owner, because the one who asks works for no workspace in particular.
create function claim_abandoned_imports(seconds integer)
returns table (workspace_id bigint, id bigint, status text)
language sql volatile security definer set search_path = public, pg_temp
as $$
  update imports i
  set lease_until = now() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id from imports o
    where o.status in ('uploading', 'checking', 'processing') and o.lease_until < now()
    for update skip locked
  ) abandoned
  where i.workspace_id = abandoned.workspace_id and i.id = abandoned.id
  returning i.workspace_id, i.id, i.status
$$;
revoke execute on function claim_abandoned_imports(integer) from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant execute on function claim_abandoned_imports(integer) to email_manager_app;
  end if;
end
$$;

-- Forgets files that were tried more than `hours` ago and never imported; answers where they are kept.
create function expire_checked_imports(hours integer) returns setof text
language sql volatile security definer set search_path = public, pg_temp
as $$
  delete from imports where status = 'checked' and created_at < now() - make_interval(hours => hours)
  returning file_key
$$;
revoke execute on function expire_checked_imports(integer) from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant execute on function expire_checked_imports(integer) to email_manager_app;
  end if;
end
$$;
