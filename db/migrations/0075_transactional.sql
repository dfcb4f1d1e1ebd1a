-- The log of single messages that a program asked for: receipts, resets, notices. Where each stands
-- is in the ledger.
-- owner: transactional
create table transactional_messages (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  address text not null,
  subject text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
create index transactional_messages_address on transactional_messages
  (workspace_id, lower(address) text_pattern_ops, id);
create index transactional_messages_mailing on transactional_messages (workspace_id, mailing_id, send_id);
alter table transactional_messages enable row level security;
create policy tenant on transactional_messages
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
