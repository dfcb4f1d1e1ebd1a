-- What the contacts' search, filters and suppression figures need beside the tables.

-- Copies of a contact are found by their address too: a suppression counts them, the address order lists them.
create index contacts_copies on contacts (workspace_id, domain, local) where state = 2;

-- The few domains that are suppressed, for telling a contact's status and for counting what an entry covers.
create index contact_domains_blocked on contact_domains (workspace_id, domain) where blocked;

-- Blocks of some 1,700 bytes lie just at the size from which PostgreSQL compresses a row. Unpacking one takes three times as long
-- as looking for a word in it.
alter table contact_search set (toast_tuple_target = 8160);
alter table contact_search_recent set (toast_tuple_target = 8160);

-- Each block draws a lot when it is written, so that a range of lots is a fair sample of a workspace's blocks at the cost of one
-- index range. Picking random ids instead would favour the block after every gap.
alter table contact_search add column lot real not null default random();
create index contact_search_lots on contact_search (workspace_id, lot);

-- The pattern that finds `term` anywhere: its own wildcards and the escape character stand for themselves.
create function contains_pattern(term text) returns text
language sql immutable strict parallel safe
as $$ select '%' || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%' $$;

-- The blocks in which `term` (lower case) occurs, at most `at_most` of them, in no order: through the trigram index, and one by
-- one where it does not reach yet. Runs as the tables' owner, because under a policy PostgreSQL does not use an index for an
-- operator that is not leakproof, and LIKE is not; therefore it reads the workspace from the setting itself and
-- answers nothing but ranges of ids.
create function search_blocks(term text, at_most integer)
returns table (first_id bigint, last_id bigint)
language plpgsql stable security definer
set search_path = public, pg_temp
-- A small workspace is read by its range, a large one through the trigrams: that takes a plan for the values at hand.
set plan_cache_mode = force_custom_plan
rows 1000
as $$
declare
  tenant bigint := current_workspace();
begin
  if tenant is null then return; end if;
  -- Without three letters in a row there are no trigrams that would tell blocks apart: read them all, with the cheaper test.
  if term !~ '[[:alnum:]]{3}' then
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
      where s.workspace_id = tenant and s.addresses like contains_pattern(term)
    ) b limit at_most;
end
$$;

-- Moves up to `at_most` recent blocks of any workspace under the trigram index and answers how many. Blocks of the same 64 ids
-- become one. Safe to run twice at once: each takes other blocks. Runs as the owner because it serves all workspaces.
create function index_recent_blocks(at_most integer) returns integer
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
    from taken group by workspace_id, first_id / 64
  )
  select count(*) into moved from taken;
  -- What stands in the index's waiting list is read by every search.
  if moved > 0 then perform gin_clean_pending_list('contact_search_trigrams'); end if;
  return moved;
end
$$;

revoke execute on function search_blocks(text, integer), index_recent_blocks(integer) from public;
do $$
begin
  -- Absent where the product runs as the tables' owner.
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant execute on function search_blocks(text, integer), index_recent_blocks(integer) to email_manager_app;
  end if;
end
$$;
