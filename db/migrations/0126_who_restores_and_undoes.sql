-- The clean-up of a cancelled task may run twice, and somebody may have asked again in between. So
-- the task that claimed the work is kept with the claim, and a clean-up ends only its own. Null: an
-- earlier version claimed it. All locks are taken first.
lock table imports, removals in access exclusive mode;
-- 0 for an undo within the call.
alter table imports add column undo_task_id bigint;
alter table removals add column restoring_task_id bigint;
