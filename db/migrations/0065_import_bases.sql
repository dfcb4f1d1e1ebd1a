-- What the rows of a file say of their contacts' marketing basis: number as in contact_bases, source in
-- words, and day. It is read by line from the staging tables, so the judged rows need no columns for it.
alter table import_staging_1 add column basis smallint, add column basis_source text, add column basis_date date;
alter table import_staging_2 add column basis smallint, add column basis_source text, add column basis_date date;
alter table import_staging_3 add column basis smallint, add column basis_source text, add column basis_date date;
alter table import_staging_4 add column basis smallint, add column basis_source text, add column basis_date date;

create index basis_changes_import on basis_changes (workspace_id, source_id, id) where how = 'import';
