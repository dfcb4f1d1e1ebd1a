-- Search of addresses: the trigram index also knows what stands on the two sides of a separator, and blocks are a quarter the size.

-- The text that the trigram index knows a block by. To pg_trgm a separator ends a word, so it cannot tell `smith@b` from a `smith` and a
-- `b…` that stand somewhere in the same block. As two letters, separators join what they stand between: `smithqzb`. A `q` that is
-- not followed by `u` hardly occurs; where it does, the block is a hint too many.
create function search_text(addresses text) returns text
language sql immutable strict parallel safe
as $$ select replace(replace(replace(replace(addresses, '@', 'qz'), '.', 'qx'), '-', 'qj'), '_', 'qv') $$;

drop index contact_search_trigrams;

-- All blocks anew, 16 contacts each: their text is what the contacts say, and the order on the disk that of the ids.
truncate contact_search, contact_search_recent;
insert into contact_search (workspace_id, first_id, last_id, addresses)
select workspace_id, min(id), max(id), string_agg(local || '@' || domain, E'\n')
from contacts group by workspace_id, id / 16 order by 1, 2;

create index contact_search_trigrams on contact_search using gin (search_text(addresses) gin_trgm_ops);

create or replace function search_blocks(term text, at_most integer)
returns table (first_id bigint, last_id bigint)
language plpgsql stable security definer
set search_path = public, pg_temp
set plan_cache_mode = force_custom_plan
rows 1000
as $$
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
$$;

-- Blocks of the same 16 ids become one.
create or replace function index_recent_blocks(at_most integer) returns integer
language plpgsql security definer
set search_path = public, pg_temp
as $$
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
$$;
