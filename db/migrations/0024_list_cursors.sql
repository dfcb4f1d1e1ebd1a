-- Lists that are walked by cursor: a page may begin after an entry, and need not be so many entries in.

drop function search_suppressions(text, text, text, bigint, bigint);

-- As before, and with `after` only the entries older than that one.
create function search_suppressions(list text, term text, only_reason text, after bigint, skip bigint, take bigint)
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
  further text := case when after is null then '' else ' and s.id < $7' end;
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
        'select s.id, $4, true from %1$I s where s.workspace_id = $1 %3$s %4$s and strpos(%2$s, $3) > 0
         order by s.id desc offset $5 limit $6', source, content, of_reason, further)
        using tenant, only_reason, term, matches, skip, take, after;
    end if;
    if not found then return query select null::bigint, matches, true; end if;
    return;
  end if;
  execute format('select array_agg(s.id) from %1$I s where s.workspace_id = $1 %3$s and %2$s like $3', source, content, of_reason)
    into ids using tenant, only_reason, contains_pattern(term);
  matches := coalesce(cardinality(ids), 0);
  return query select one, matches, false from unnest(ids) one where after is null or one < after
    order by one desc offset skip limit take;
  if not found then
    return query select null::bigint, matches, false;
  end if;
end
$$;
