-- Why the contacts of a removal went, in the words of the moment: which filter meant them, or whose duplicates they were.
-- Null for a clean, whose reasons are counted, and for what was removed before this was kept.
alter table removals add column why text;
