-- When a mail was last given to the mail server. Workspaces take turns: whose last mail was tried
-- longest ago comes first.
lock table outbox in access exclusive mode;
alter table outbox add column tried_at timestamptz;
-- The mail of each workspace that waits, and of accounts, which have none.
create index outbox_waiting on outbox (workspace_id, next_try_at) where status = 'waiting';
create index outbox_tried on outbox (workspace_id, tried_at) where tried_at is not null;
drop index outbox_due;
