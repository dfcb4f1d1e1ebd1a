-- Verdicts on contacts, what the domain name system said about domains, and what a review decided.

-- owner: verification
-- What the domain name system said about a domain's mail, for all workspaces: it is the same for everybody. An answer is
-- used until it expires; `unknown` (no answer in time, a server's failure) only briefly.
create table domain_mail (
  domain text collate "C" primary key,
  state text not null check (state in ('mail', 'no_mail', 'null_mx', 'no_such_domain', 'unknown')),
  -- How mail gets there: by an MX record, or by the domain's own address record.
  via text check (via in ('mx', 'address')),
  checked_at timestamptz not null,
  expires_at timestamptz not null
);
create index domain_mail_expired on domain_mail (expires_at);

-- owner: contacts
-- Each combination of verdict, reasons, risk, kind and UK class that contacts of a workspace have, and how many have it. There
-- are hundreds of these where there are millions of contacts, so every total of a filter by verdict is a sum over a few
-- rows, and a contact's own row needs no more than a number.
create table verdict_profiles (
  workspace_id bigint not null,
  id integer generated always as identity,
  verdict text not null check (verdict in ('valid', 'risky', 'invalid', 'unknown')),
  -- In alphabetical order.
  reasons text[] not null,
  risk smallint not null check (risk between 0 and 100),
  kind text,
  uk text,
  contacts bigint not null default 0,
  primary key (workspace_id, id)
) with (fillfactor = 50);
create unique index verdict_profiles_content on verdict_profiles (workspace_id, verdict, reasons, risk, kind, uk) nulls not distinct;

-- owner: contacts
-- The verdict on each contact that was verified. Beside `contacts` and not in it: writing a column of millions of contacts would
-- write all of each contact, and its indexes, anew.
create table contact_verifications (
  workspace_id bigint not null,
  contact_id bigint not null,
  profile_id integer not null,
  checked_at timestamptz not null,
  primary key (workspace_id, contact_id)
);
create index contact_verifications_profile on contact_verifications (workspace_id, profile_id, contact_id);

-- owner: contacts
-- The address that a contact's owner probably meant, for the few where there is one.
create table contact_suggestions (
  workspace_id bigint not null,
  contact_id bigint not null,
  -- The domain as it stands and as it should be; the same when only the local part is doubtful.
  from_domain text collate "C" not null,
  to_domain text collate "C" not null,
  to_local text collate "C" not null,
  primary key (workspace_id, contact_id)
);
create index contact_suggestions_pattern on contact_suggestions (workspace_id, from_domain, to_domain, contact_id);

-- owner: contacts
-- The mailbox that a contact's mail ends up in, for those whose address spells it in another way (dots, +tags, googlemail.com). For
-- all others it is their identity key.
create table contact_mailboxes (
  workspace_id bigint not null,
  contact_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  primary key (workspace_id, contact_id)
);
create index contact_mailboxes_mailbox on contact_mailboxes (workspace_id, domain, local, contact_id);

-- owner: contacts
-- Mailboxes that two or more contacts share; gathered when a verification ends.
create table shared_mailboxes (
  workspace_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  contacts integer not null,
  primary key (workspace_id, domain, local)
);

-- owner: contacts
-- Addresses that were changed together, as they were before.
create table corrections (
  workspace_id bigint not null,
  id bigint generated always as identity,
  contacts bigint not null default 0,
  corrected_by text,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (workspace_id, id)
);

-- owner: contacts
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
  primary key (workspace_id, correction_id, contact_id)
);

-- owner: contacts
-- Contacts made into one. Those that went are in the bin as `removal_id`; `before` is the one that stayed, as it was.
create table merges (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kept_id bigint not null,
  removal_id bigint not null,
  before jsonb not null,
  merged_by text,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (workspace_id, id)
);
alter table removals drop constraint removals_kind_check;
alter table removals add constraint removals_kind_check check (kind in ('delete', 'clean', 'undo_import', 'merge'));

-- owner: verification
-- What a person does not want to be asked again: a pattern of corrections ('gmial.com gmail.com'), the correction of one
-- address, or contacts that share a mailbox.
create table review_dismissals (
  workspace_id bigint not null,
  kind text not null check (kind in ('pattern', 'address', 'mailbox')),
  key text collate "C" not null,
  dismissed_by text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, kind, key)
);

-- owner: verification
-- One run over contacts, and what came of it.
create table verification_runs (
  workspace_id bigint not null,
  id bigint generated always as identity,
  task_id bigint not null,
  -- True: every contact there was. Then contacts up to `through_id` that have a verdict were checked at `started_at` or
  -- later, so a rerun over millions need not write those whose verdict stands.
  whole boolean not null,
  through_id bigint,
  dns boolean not null,
  selection jsonb,
  result jsonb,
  started_by text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (workspace_id, id)
);
create unique index verification_runs_task on verification_runs (workspace_id, task_id);

-- owner: contacts
-- What a workspace's domains say about the UK, added up; counted anew when the books or the settings have changed.
create table uk_counts (
  workspace_id bigint primary key,
  -- The settings and figures it was counted from.
  basis text not null,
  counts jsonb not null,
  counted_at timestamptz not null default now()
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'verdict_profiles', 'contact_verifications', 'contact_suggestions', 'contact_mailboxes', 'shared_mailboxes', 'corrections',
    'corrected_contacts', 'merges', 'review_dismissals', 'verification_runs', 'uk_counts'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;
