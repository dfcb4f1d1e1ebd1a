-- How an import has read its rows, so that each row of its receipt can be read again and corrected.
alter table imports add column read_as jsonb;
