-- The removals that a task is restoring: the nightly work frees those whose task has ended.
create index removals_restoring on removals (workspace_id) where is_restoring;
