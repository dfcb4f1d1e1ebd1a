-- What suppression lists of millions of entries need: filters and searches that stay quick, lists that come in as hashes, and
-- a way back from a lifting.

-- digest() and hmac(): lists are exchanged as SHA-1 too, which PostgreSQL itself cannot compute. It comes from the same package as
-- pg_trgm and may be created by the same role.
create extension if not exists pgcrypto;

-- owner: suppressions
-- Many entries put on the list at once: an imported list (`file`), or the addresses of chosen contacts. It outlives the task
-- that ran it, because it says where an entry came from.
create table suppression_batches (
  workspace_id bigint not null,
  id bigint generated always as identity,
  source text not null check (source in ('file', 'contacts')),
  file_name text,
  file_size bigint,
  file_key text,
  receipt_key text,
  reason text not null,
  form text not null default 'auto' check (form in ('auto', 'plain', 'md5', 'sha1', 'sha256')),
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  error text,
  lines bigint,
  added bigint,
  already_there bigint,
  invalid bigint,
  domains bigint,
  hashes bigint,
  recognised bigint,
  created_by text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (workspace_id, id)
);

-- The batch an entry came with.
alter table suppressions add column batch_id bigint;
alter table domain_suppressions add column batch_id bigint;
create index suppressions_batch on suppressions (workspace_id, batch_id) where batch_id is not null;
create index domain_suppressions_batch on domain_suppressions (workspace_id, batch_id) where batch_id is not null;

-- The list by reason, newest first.
create index suppressions_reason on suppressions (workspace_id, reason, id);
create index domain_suppressions_trigrams on domain_suppressions using gin (domain gin_trgm_ops);

-- owner: suppressions
-- Entries of which only a hash of the address (local@domain, lower case) is known. `hmac`: keyed with the workspace's own key, for
-- people who were erased. A contact whose hash is here has an ordinary entry as well, so that nothing else needs to look here.
create table suppression_hashes (
  workspace_id bigint not null,
  kind text not null check (kind in ('md5', 'sha1', 'sha256', 'hmac')),
  hash bytea not null,
  reason text not null
    check (reason in ('manual', 'unsubscribed', 'bounced', 'complained', 'erased', 'imported')),
  batch_id bigint,
  created_at timestamptz not null default now(),
  primary key (workspace_id, kind, hash)
);
create index suppression_hashes_batch on suppression_hashes (workspace_id, batch_id) where batch_id is not null;

-- owner: suppressions
-- The key of a workspace's `hmac` hashes. It stands beside them so that a restored backup still keeps the erased out.
create table suppression_keys (
  workspace_id bigint primary key,
  key bytea not null,
  created_at timestamptz not null default now()
);

drop table suppression_counts;
-- owner: suppressions
-- Rollup: how long each list is, by reason; of the hashes, by kind. Counting five million entries takes half a second.
create table suppression_counts (
  workspace_id bigint not null,
  list text not null check (list in ('email', 'domain', 'hash')),
  part text not null,
  entries bigint not null default 0,
  primary key (workspace_id, list, part)
) with (fillfactor = 50);
insert into suppression_counts (workspace_id, list, part, entries)
select workspace_id, 'email', reason, count(*) from suppressions group by workspace_id, reason
union all
select workspace_id, 'domain', reason, count(*) from domain_suppressions group by workspace_id, reason;

-- owner: suppressions
-- One lifting of one or of millions of entries, which can be undone.
create table suppression_liftings (
  workspace_id bigint not null,
  id bigint generated always as identity,
  list text not null check (list in ('email', 'domain')),
  why text,
  entries bigint not null default 0,
  lifted_by text,
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (workspace_id, id)
);

-- owner: suppressions
-- What was lifted, as it stood on the list. `local` is null for a domain.
create table lifted_suppressions (
  workspace_id bigint not null,
  lifting_id bigint not null,
  id bigint not null,
  local text collate "C",
  domain text collate "C" not null,
  reason text not null,
  note text,
  created_by text,
  created_at timestamptz not null,
  batch_id bigint,
  primary key (workspace_id, lifting_id, id)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'suppression_batches', 'suppression_hashes', 'suppression_keys', 'suppression_counts', 'suppression_liftings',
    'lifted_suppressions'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (workspace_id = (select current_workspace())) with check (workspace_id = (select current_workspace()))',
      tenant_table
    );
  end loop;
end
$$;

-- The hash by which an address (lower case) stands on a hashed list. `key` is for `hmac` alone.
create function address_hash(kind text, local text, domain text, key bytea) returns bytea
language sql immutable parallel safe
as $$
  select case kind
    when 'md5' then decode(md5(local || '@' || domain), 'hex')
    when 'sha1' then digest(local || '@' || domain, 'sha1')
    when 'sha256' then sha256(convert_to(local || '@' || domain, 'UTF8'))
    when 'hmac' then hmac(convert_to(local || '@' || domain, 'UTF8'), key, 'sha256')
  end
$$;

-- The hashed entries of one address. Runs as the owner because under row-level security PostgreSQL would read all hashes
-- rather than look up these; so it reads the workspace from the setting itself.
create function hashed_suppressions(local text, domain text)
returns table (kind text, hash bytea, reason text, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
rows 1
as $$
  select h.kind, h.hash, h.reason, h.created_at
  from unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind)
  cross join lateral (
    select address_hash(any_kind.kind, $1, $2, (select k.key from suppression_keys k where k.workspace_id = current_workspace())) as hash
  ) own
  join suppression_hashes h
    on h.workspace_id = current_workspace() and h.kind = any_kind.kind and h.hash = own.hash
$$;

-- Gives each contact with an id in the range an ordinary entry if its hash is on a hashed list, and answers how many entries that
-- made. For contacts that the rollups do not count yet: call it before they are counted, in the same transaction. Takes the
-- rollup lock exclusively where the workspace has hashes, and does nothing where it has none. As the owner, as above.
create function suppress_hashed_contacts(first_id bigint, last_id bigint) returns bigint
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
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
  made as (
    insert into suppressions (workspace_id, local, domain, reason, note, created_at)
    select distinct on (own.domain, own.local) tenant, own.local, own.domain, h.reason, 'Known from a hashed list', h.created_at
    from own join suppression_hashes h on h.workspace_id = tenant and h.kind = own.kind and h.hash = own.hash
    order by own.domain, own.local, h.created_at
    on conflict (workspace_id, domain, local) do nothing
    returning reason
  ),
  counted as (
    insert into suppression_counts as c (workspace_id, list, part, entries)
    select tenant, 'email', reason, count(*) from made group by reason order by reason
    on conflict (workspace_id, list, part) do update set entries = c.entries + excluded.entries
  )
  select count(*) into added from made;
  return added;
end
$$;

drop function search_suppressions(text, bigint, bigint);

-- The ids of one page of the entries of a list ('email' or 'domain') that contain a text, newest first, each with the number of
-- all that match; one row with a null id when the page is empty. Runs as the owner, because under row-level security
-- PostgreSQL would not use the trigram index; so it reads the workspace from the setting itself and takes no other.
-- Of a long list 64 stretches are looked at first. A text that is frequent there is found by walking the newest entries until
-- the page is full, and its number is estimated from the stretches; a rare one comes whole out of the trigram index, exactly.
create function search_suppressions(list text, term text, only_reason text, skip bigint, take bigint)
returns table (id bigint, total bigint, is_estimate boolean)
language plpgsql stable security definer
set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  tenant bigint := current_workspace();
  source text := case list when 'email' then 'suppressions' when 'domain' then 'domain_suppressions' end;
  content text := case list when 'email' then 's.local || ''@'' || s.domain' else 's.domain' end;
  of_reason text := case when only_reason is null then '' else ' and s.reason = $2' end;
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
        'select s.id, $4, true from %1$I s where s.workspace_id = $1 %3$s and strpos(%2$s, $3) > 0
         order by s.id desc offset $5 limit $6', source, content, of_reason)
        using tenant, only_reason, term, matches, skip, take;
    end if;
    if not found then return query select null::bigint, matches, true; end if;
    return;
  end if;
  execute format('select array_agg(s.id) from %1$I s where s.workspace_id = $1 %3$s and %2$s like $3', source, content, of_reason)
    into ids using tenant, only_reason, contains_pattern(term);
  matches := coalesce(cardinality(ids), 0);
  return query select one, matches, false from unnest(ids) one order by one desc offset skip limit take;
  if skip >= matches then
    return query select null::bigint, matches, false;
  end if;
end
$$;
