-- The domains that a workspace sends from, and what name servers said of them the last time they were asked.
-- owner: senders
create table sender_domains (
  workspace_id bigint not null,
  id bigint generated always as identity,
  -- ASCII, lower case.
  domain text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- What was read, as it was read: it is judged when somebody looks at it.
  facts jsonb,
  checked_at timestamptz,
  check_after timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, domain)
);
alter table sender_domains enable row level security;
create policy tenant on sender_domains
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- The DKIM keys of a sender domain: one that signs, while another takes its place a second one.
-- owner: senders
create table sender_keys (
  workspace_id bigint not null,
  domain_id bigint not null,
  selector text not null,
  -- Base64 of the public key (SPKI), as its DNS record has it.
  public_key text not null,
  -- The private key (PKCS 8, PEM), encrypted.
  sealed_key text not null,
  made_at timestamptz not null default now(),
  -- When its record was first seen in DNS.
  seen_at timestamptz,
  -- When another key began to sign in its place.
  retired_at timestamptz,
  primary key (workspace_id, domain_id, selector),
  foreign key (workspace_id, domain_id) references sender_domains (workspace_id, id) on delete cascade
);
alter table sender_keys enable row level security;
create policy tenant on sender_keys
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
