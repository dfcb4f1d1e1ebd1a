-- A removal that was open when contacts were merged may take the kept one later, although its
-- number is lower than that of the merge's own removal. Whoever undoes the merge looks there too.
-- All locks are taken first.
lock table merges in access exclusive mode;
lock table removals in share mode;
-- The lowest of those. Null: none was open, or an earlier version merged.
alter table merges add column oldest_open_removal bigint;
create index removals_open on removals (workspace_id, id) where is_open;
