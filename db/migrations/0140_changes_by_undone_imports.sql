-- The import whose undo took these contacts out. An undo that is asked for once more keeps what the
-- one before took out, so that it can be put back.
alter table membership_changes add column import_id bigint;
