-- Mails of one person, when they are erased. All locks are taken first, because the column writes
-- the table anew: few mails are kept.
lock table bounce_mails in access exclusive mode;
create index bounce_mails_contact on bounce_mails (workspace_id, contact_id) where contact_id is not null;
create index bounce_mails_address on bounce_mails (workspace_id, domain, local) where domain is not null;
-- A column, because under row-level security no index answers what a function says of a row.
alter table bounce_mails
  add column sender_key text collate "C" generated always as (lower(sender)) stored;
create index bounce_mails_sender on bounce_mails (workspace_id, sender_key);
