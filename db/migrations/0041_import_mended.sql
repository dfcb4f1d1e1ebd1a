-- Rows whose domain was mended on the way in: the domain as the file has it, and the state that the address as given would have.
alter table import_staging_1 add column mended_from text, add column mended_state smallint;
alter table import_judged_1 add column mended_from text, add column mended_state smallint;
alter table import_staging_2 add column mended_from text, add column mended_state smallint;
alter table import_judged_2 add column mended_from text, add column mended_state smallint;
alter table import_staging_3 add column mended_from text, add column mended_state smallint;
alter table import_judged_3 add column mended_from text, add column mended_state smallint;
alter table import_staging_4 add column mended_from text, add column mended_state smallint;
alter table import_judged_4 add column mended_from text, add column mended_state smallint;

-- What the non-UK filter left out, by UK class; null for imports from before.
alter table imports add column non_uk_view jsonb;
