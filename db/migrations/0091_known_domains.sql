-- Whether the workspace has the domain already, in the sums of an import: the others are added
-- before the import locks the figures.
alter table import_sums_1 add column known boolean not null default true;
alter table import_sums_2 add column known boolean not null default true;
alter table import_sums_3 add column known boolean not null default true;
alter table import_sums_4 add column known boolean not null default true;
