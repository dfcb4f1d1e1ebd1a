-- Mail that the product writes to people, and what invitations, accounts and a second factor need.

-- owner: mail
-- Mail of the installation: to members and to people who are none yet. It belongs to no tenant; `workspace_id` says in whose
-- name it was written, so that a workspace's own mail can be shown to who looks after it. Without a mail server a mail is
-- `kept`; with one it waits until it is `sent` or has `failed`. What was sent keeps no text: it may hold a link that opens an
-- account.
create table outbox (
  id bigint generated always as identity primary key,
  workspace_id bigint references workspaces (id) on delete cascade,
  kind text not null check (kind in ('invitation', 'password_reset', 'email_proof', 'notice')),
  recipient text not null,
  subject text not null,
  body_text text,
  body_html text,
  -- Where the mail's button leads.
  link text,
  status text not null check (status in ('kept', 'waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  -- When it is due; moved on while a process is at work on it, so that a crash in between only delays it.
  next_try_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index outbox_due on outbox (next_try_at) where status = 'waiting';
create index outbox_workspace_id on outbox (workspace_id, id);
create index outbox_created_at on outbox (created_at);

-- The SHA-256 of the secret in the invitation's link: the link opens the invitation, the row's number does not.
alter table invitations add column token_hash bytea unique;
alter table invitations add column sent_at timestamptz not null default now();
-- One open invitation for an address in a workspace; asking again sends it anew.
create unique index invitations_pending on invitations (workspace_id, email) where status = 'pending';

-- When a member was last at work here, to within a few minutes.
alter table members add column last_seen_at timestamptz;
alter table sessions add column last_seen_at timestamptz not null default now();

alter table users add column two_factor_enabled boolean not null default false;

-- owner: identity
create table two_factors (
  id bigint generated always as identity primary key,
  user_id bigint not null unique references users (id) on delete cascade,
  -- Both encrypted with a key made from SECRET_KEY.
  secret text not null,
  backup_codes text not null,
  -- False until the first code was right.
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
