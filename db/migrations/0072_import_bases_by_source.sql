-- An import finds the change of each of its rows by what the row says.
drop index basis_changes_import;
create index basis_changes_import on basis_changes (workspace_id, source_id, basis, coalesce(source, '')) where how = 'import';
