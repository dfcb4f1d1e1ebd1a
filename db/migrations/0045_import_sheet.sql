-- Which sheet of a workbook an import read. Null for other files, and for imports from before.
alter table imports add column sheet jsonb;
