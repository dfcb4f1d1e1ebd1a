-- The planner's statistics of a table that has grown much are renewed at the end of the work that
-- grew it. PostgreSQL does that by itself only when a tenth of a table has changed. Until then it
-- takes a workspace that it has never seen for one row, and compares each of its rows with all.

-- Tables with so many changed rows, as PostgreSQL counts them within seconds, or that have grown by
-- so many pages of 8 kB, which shows at once. Small ones are read in milliseconds, and a large one
-- is left alone for ten seconds.
create function outdated_statistics() returns setof name
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
  select t.name
  from (
    select s.relname as name, s.n_mod_since_analyze as changed, c.relpages as pages,
      pg_relation_size(c.oid) / current_setting('block_size')::int - greatest(c.relpages, 0) as grown,
      greatest(s.last_analyze, s.last_autoanalyze) as renewed_at
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = 'public' and c.relkind = 'r' and c.relpersistence = 'p'
  ) t
  where case when t.pages < 2000 then t.changed >= 1000 or t.grown >= 16
    else t.changed >= 5000 or t.grown >= 64 end
    and (t.pages < 20000 or t.renewed_at is null or t.renewed_at < clock_timestamp() - interval '10 s')
  order by t.name;
end;

-- Only the owner of a table may do this. Whoever does it already is not waited for.
create function renew_statistics(table_name name) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('analyze (skip_locked) public.%I', table_name);
end
$$;
revoke execute on function renew_statistics(name) from public;
