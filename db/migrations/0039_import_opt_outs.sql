-- Imported rows carry the first and the last name, and what the file itself says against mailing: `opt_out` is the rank of the
-- reason, 0 the strongest (optOutReasons in src/features/imports/rules/opt-out-words.ts). Nullable columns without a default:
-- processes of an earlier version do not see them.
alter table import_staging_1 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;
alter table import_judged_1 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;
alter table import_staging_2 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;
alter table import_judged_2 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;
alter table import_staging_3 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;
alter table import_judged_3 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;
alter table import_staging_4 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;
alter table import_judged_4 add column first_name text, add column last_name text, add column opt_out smallint, add column opt_out_date date;

-- Entries that came from the columns of an imported file of contacts belong together, as those of a list do.
alter table suppression_batches drop constraint suppression_batches_source_check;
alter table suppression_batches add constraint suppression_batches_source_check check (source in ('file', 'contacts', 'import'));

-- How many addresses the import put on the suppression list; null for imports from before.
alter table imports add column newly_suppressed bigint;
