-- What somebody should know about how the file of an import was read: other columns with addresses,
-- columns that nobody could tell, slips, lines that do not fit.
alter table imports add column notes jsonb;
