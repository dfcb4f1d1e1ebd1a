-- When a contact last came back from the bin. The removal knows only when the last of its contacts
-- did.
alter table contacts add column restored_at timestamptz;
