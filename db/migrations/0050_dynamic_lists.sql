-- When the contacts of a dynamic list were counted. Its count is as old as that. Null: never.
alter table lists add column counted_at timestamptz;
