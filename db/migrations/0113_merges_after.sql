-- What a merge wrote into the contact that was kept, so that its undoing leaves alone what was
-- written there since. Null for merges before this migration.
alter table merges add column after jsonb;
