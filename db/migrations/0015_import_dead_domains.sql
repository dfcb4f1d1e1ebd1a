-- Domains of an import's rows that no mail can be sent to, as the domain name system said, where the workspace checks it.

-- owner: imports
create unlogged table import_dead_domains_1 (
  domain text collate "C" not null,
  reason text not null
) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_dead_domains_2 (like import_dead_domains_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_dead_domains_3 (like import_dead_domains_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_dead_domains_4 (like import_dead_domains_1) with (autovacuum_enabled = false);

do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant truncate on import_dead_domains_1, import_dead_domains_2, import_dead_domains_3, import_dead_domains_4
    to email_manager_app;
  end if;
end
$$;
