-- A key acts for a person, its holder: whoever made it, or has taken it over since. It never does more than they may at that moment,
-- and lets nobody in once they are no member any more. docs/decisions/0030-key-holders.md

-- Null: whoever made it, also for keys that processes of an earlier version still make.
alter table api_keys add column holder_id bigint;

-- As use_api_key, and with the holder and their role. Runs as the owner, because it is what decides which workspace a call is for;
-- it answers nothing but for a hash that only who holds the key can name.
create function use_held_key(workspace bigint, key_hash bytea, window_seconds integer)
returns table (id bigint, name text, scopes text[], holder_id bigint, holder_name text, holder_role text, workspace_name text,
               used integer, resets_in integer)
language plpgsql volatile security definer
set search_path = public, pg_temp
as $$
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
$$;

-- Processes of an earlier version still call this while they are being replaced. They too let nobody in by the key of somebody who
-- is no member any more.
create or replace function use_api_key(workspace bigint, key_hash bytea, window_seconds integer)
returns table (id bigint, name text, scopes text[], created_by bigint, workspace_name text, used integer, resets_in integer)
language sql volatile security definer
set search_path = public, pg_temp
as $$
  select id, name, scopes, holder_id, workspace_name, used, resets_in
  from use_held_key(workspace, key_hash, window_seconds)
$$;

revoke execute on function use_held_key(bigint, bytea, integer) from public;
