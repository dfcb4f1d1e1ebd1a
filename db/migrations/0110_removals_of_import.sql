-- An import shows whether what its undoing removed was brought back.
create index removals_import on removals (workspace_id, import_id) where import_id is not null;
