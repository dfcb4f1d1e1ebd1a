-- Workspaces send through one mail server of the installation, and none may write in the name of
-- another's domain. The DNS record of a key proves whose a domain is.
create index sender_domains_named on sender_domains (domain);

-- Whether another workspace has proved one of these domains, and the current one none of them. It
-- runs as the tables' owner, because row-level security hides other workspaces. It says of none
-- which it is.
create function are_domains_of_others(names text[]) returns boolean
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
  with proved as (
    select d.workspace_id = current_workspace() as is_own
    from sender_domains d
    where d.domain = any(names) and exists (
      select from sender_keys k
      where k.workspace_id = d.workspace_id and k.domain_id = d.id and k.seen_at is not null
    )
  )
  select coalesce(bool_and(not is_own), false) from proved
$$;
