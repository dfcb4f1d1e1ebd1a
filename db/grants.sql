-- What the role that the product works as (email_manager_app) may do, all of it in this file. The
-- tables' owner runs it at every start, after the migrations and after the job queue's own tables
-- have been brought up to date. So a role that an administrator makes later has its rights at the
-- next start, and a migration needs no grants.
--
-- It compares first and changes only what differs: a GRANT on a table that another process
-- truncates at that moment fails. A new table whose lines may only be added, or which may be
-- emptied at once, is named below.

do $$
declare
  app constant text := 'email_manager_app';
  change record;
begin
  -- Where there is no such role the product works as the owner, and says so.
  if not exists (select from pg_roles where rolname = app) then return; end if;

  for change in
    with schemas as (
      select oid, nspname from pg_namespace where nspname in ('public', 'pgboss')
    ),
    relations as (
      select c.oid, c.relkind, c.relname, c.relacl, c.relispartition, s.nspname
      from pg_class c join schemas s on s.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S')
        and c.relowner <> app::regrole and pg_has_role(c.relowner, 'usage')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    ),
    wanted as (
      select oid, unnest(case
          when relkind = 'S' then array['USAGE', 'SELECT']
          -- A part of a table is reached through the whole, whose policy holds for all parts.
          when nspname = 'public' and relispartition then array[]::text[]
          -- What the product has applied is the migrations' business.
          when nspname = 'public' and relname = 'schema_migrations' then array['SELECT']
          -- Nobody rewrites what is written there.
          when nspname = 'public' and relname in ('audit_log', 'admin_actions') then array['SELECT', 'INSERT']
          -- The slots of imports are emptied by TRUNCATE, which leaves nothing to vacuum.
          when nspname = 'public' and relname ~ '^import_(staging|judged|sums|dead_domains)_[0-9]+$'
            then array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']
          else array['SELECT', 'INSERT', 'UPDATE', 'DELETE']
        end) as privilege
      from relations
    ),
    held as (
      select r.oid, a.privilege_type as privilege
      from relations r cross join aclexplode(r.relacl) a
      where a.grantee = app::regrole
    )
    select format('grant usage on schema %I to %I', s.nspname, app) as statement
    from schemas s where not has_schema_privilege(app, s.oid, 'usage')
    union all
    select format('revoke create on schema %I from public', n.nspname)
    from pg_namespace n cross join aclexplode(n.nspacl) a
    where n.nspname = 'public' and a.grantee = 0 and a.privilege_type = 'CREATE'
    union all
    select format('grant %s on %s %I.%I to %I', string_agg(w.privilege, ', ' order by w.privilege),
             case r.relkind when 'S' then 'sequence' else 'table' end, r.nspname, r.relname, app)
    from relations r join wanted w using (oid)
    where not exists (select from held h where h.oid = w.oid and h.privilege = w.privilege)
    group by r.oid, r.nspname, r.relname, r.relkind
    union all
    select format('revoke %s on %s %I.%I from %I', string_agg(h.privilege, ', ' order by h.privilege),
             case r.relkind when 'S' then 'sequence' else 'table' end, r.nspname, r.relname, app)
    from relations r join held h using (oid)
    where not exists (select from wanted w where w.oid = h.oid and w.privilege = h.privilege)
    group by r.oid, r.nspname, r.relname, r.relkind
    union all
    select format('grant execute on routine %s to %I', p.oid::regprocedure, app)
    from pg_proc p join schemas s on s.oid = p.pronamespace
    where not has_function_privilege(app, p.oid, 'execute') and pg_has_role(p.proowner, 'usage')
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    -- What a migration makes anew can be used from its commit on, by processes that are at work
    -- meanwhile.
    select format('alter default privileges in schema public grant %s to %I', wish.rights, app)
    from (values ('r'::"char", 'select, insert, update, delete on tables'),
                 ('S'::"char", 'usage, select on sequences')) wish (kind, rights)
    where not exists (
      select from pg_default_acl d cross join aclexplode(d.defaclacl) a
      where d.defaclrole = current_user::regrole and d.defaclnamespace = 'public'::regnamespace
        and d.defaclobjtype = wish.kind and a.grantee = app::regrole)
  loop
    execute change.statement;
  end loop;
end
$$;
