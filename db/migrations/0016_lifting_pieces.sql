-- Liftings of very many entries, which are filled piece by piece.

-- True while entries are still being moved into it.
alter table suppression_liftings add column is_open boolean not null default false;

-- A search within one reason reads the addresses of that reason, newest first. With the address in the index it reads them there,
-- side by side, and not one by one from all over the table.
drop index suppressions_reason;
create index suppressions_reason on suppressions (workspace_id, reason, id) include (local, domain);
