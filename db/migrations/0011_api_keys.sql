-- Keys with which programs call the product, and answers kept so that a call sent twice is done once.

-- owner: api-keys
create table api_keys (
  workspace_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  -- What the screen shows of the key.
  prefix text not null,
  -- SHA-256 of the whole key. The key itself is told once and never kept.
  hash bytea not null,
  scopes text[] not null,
  -- Who made it; what the key does is done in the key's name, not in theirs.
  created_by bigint not null,
  created_by_name text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  -- To within a minute.
  last_used_at timestamptz,
  primary key (workspace_id, id)
);
create unique index api_keys_hash on api_keys (workspace_id, hash);
alter table api_keys enable row level security;
create policy tenant on api_keys
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- owner: api-keys
-- How often each key was used in its current window. Unlogged: a crash forgets it, which lets a key call a little more.
create unlogged table api_key_uses (
  workspace_id bigint not null,
  key_id bigint not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (workspace_id, key_id)
) with (fillfactor = 50);
alter table api_key_uses enable row level security;
create policy tenant on api_key_uses
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- owner: api-keys
create table idempotency_keys (
  workspace_id bigint not null,
  key text not null,
  -- SHA-256 over the call: where to, and with what.
  fingerprint bytea not null,
  -- Both null while the call is at work.
  status integer,
  body text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (workspace_id, created_at);
alter table idempotency_keys enable row level security;
create policy tenant on idempotency_keys
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- The key that this hash belongs to, if it may be used, and how often it has been in the window of `window_seconds` that is
-- running: this use is counted. One statement and one round trip for a call. Runs as the owner, because it is what decides
-- which workspace a call is for; it answers nothing but for a hash that only who holds the key can name.
create function use_api_key(workspace bigint, key_hash bytea, window_seconds integer)
returns table (id bigint, name text, scopes text[], created_by bigint, workspace_name text, used integer, resets_in integer)
language plpgsql volatile security definer
set search_path = public, pg_temp
as $$
declare
  one api_keys%rowtype;
begin
  select * into one from api_keys k
  where k.workspace_id = workspace and k.hash = key_hash
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
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
    select one.id, one.name, one.scopes, one.created_by, w.name, c.count,
           greatest(1, ceil(window_seconds - extract(epoch from clock_timestamp() - c.window_start)))::integer
    from counted c, workspaces w where w.id = workspace;
end
$$;

-- Forgets kept answers of all workspaces that are older than `hours`. Runs as the owner for that.
create function forget_idempotency_keys(hours integer) returns void
language sql volatile security definer
set search_path = public, pg_temp
as $$ delete from idempotency_keys where created_at < now() - make_interval(hours => hours) $$;

revoke execute on function use_api_key(bigint, bytea, integer), forget_idempotency_keys(integer) from public;
do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant execute on function use_api_key(bigint, bytea, integer), forget_idempotency_keys(integer)
      to email_manager_app;
  end if;
end
$$;
