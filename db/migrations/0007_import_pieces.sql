-- An import is judged and saved a piece at a time, so that one piece is saved while the next is judged: a piece is a
-- stretch of the identity keys in their order. The contact's id is given with the fate, so that the search text
-- can be written beside the insert.

truncate
  import_staging_1, import_staging_2, import_staging_3, import_staging_4,
  import_judged_1, import_judged_2, import_judged_3, import_judged_4;
alter table import_judged_1 add column piece smallint not null, add column id bigint;
alter table import_judged_2 add column piece smallint not null, add column id bigint;
alter table import_judged_3 add column piece smallint not null, add column id bigint;
alter table import_judged_4 add column piece smallint not null, add column id bigint;

-- owner: imports
-- What the import adds to each domain, summed up beside the insert.
create unlogged table import_sums_1 (
  domain text collate "C" not null,
  valid bigint not null,
  invalid bigint not null,
  duplicate bigint not null
) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_sums_2 (like import_sums_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_sums_3 (like import_sums_1) with (autovacuum_enabled = false);
-- owner: imports
create unlogged table import_sums_4 (like import_sums_1) with (autovacuum_enabled = false);

do $$
begin
  if exists (select from pg_roles where rolname = 'email_manager_app') then
    grant truncate on import_sums_1, import_sums_2, import_sums_3, import_sums_4 to email_manager_app;
  end if;
end
$$;
