-- The changes of an import that are not taken back yet, in their order. A file that names a source
-- in each row has as many changes as rows.
create index basis_changes_in_force on basis_changes (workspace_id, source_id, id)
where how = 'import' and undone_at is null;
