-- When the figures of an ended mailing were last compared with its sends.
alter table mailings add column reconciled_at timestamptz;
create index mailings_unreconciled on mailings (workspace_id, id) where ended_at is not null and reconciled_at is null;
