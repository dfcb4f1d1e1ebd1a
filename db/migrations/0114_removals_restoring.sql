-- Whether a task is restoring a removal. The time of the restore said so until now. It stays when
-- some of the contacts are left in the bin, because their addresses exist again.
alter table removals add column is_restoring boolean not null default false;
update removals m set is_restoring = true
from tasks t
where t.workspace_id = m.workspace_id and t.kind = 'contacts.restore' and t.status in ('waiting', 'running')
  and t.state is not null and t.state -> 'isDone' is null and t.input ->> 'removalId' = m.id::text;
