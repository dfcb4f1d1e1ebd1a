-- Who may come in, and where they work. These tables belong to no tenant: they decide which tenant a call
-- is for, so row-level security does not apply to them. Column names are mapped for the sign-in library in
-- src/features/identity/server/auth.ts.

-- owner: identity
create table users (
  id bigint generated always as identity primary key,
  name text not null,
  -- Lower case, so that one mailbox has one account however it is typed.
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- owner: identity
create table workspaces (
  id bigint generated always as identity primary key,
  name text not null,
  -- Asked for by the sign-in library; no address is made of it.
  slug text not null unique default gen_random_uuid()::text,
  logo text,
  metadata text,
  created_at timestamptz not null default now()
);

-- owner: identity
create table members (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'editor', 'sender', 'viewer')),
  created_at timestamptz not null default now(),
  unique (workspace_id, user_id)
);
create index members_user_id on members (user_id);

-- owner: identity
create table invitations (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'sender', 'viewer')),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'canceled')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  inviter_id bigint not null references users (id) on delete cascade
);
create index invitations_workspace_id on invitations (workspace_id);
create index invitations_inviter_id on invitations (inviter_id);
create index invitations_pending_email on invitations (email) where status = 'pending';

-- owner: identity
create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- The secret in the cookie; the cookie also carries its signature.
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- Where this session is at work. Only a hint: membership is looked up on every call.
  active_workspace_id bigint references workspaces (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

-- owner: identity
create table accounts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- `credential` for a password, else the identity provider's name.
  provider_id text not null,
  account_id text not null,
  -- A salted scrypt hash.
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_user_id on accounts (user_id);

-- One-time proofs: verification of an address, reset of a password.
-- owner: identity
create table verifications (
  id bigint generated always as identity primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- Unlogged: a count that a crash forgets lets somebody try a few times more, and every sign-in writes here.
-- owner: identity
create unlogged table rate_limits (
  id bigint generated always as identity primary key,
  key text not null unique,
  count integer not null,
  -- Milliseconds since 1970.
  last_request bigint not null
);
