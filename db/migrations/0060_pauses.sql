-- What is the same for everybody in a target with Liquid, with the host. The rest travels in the link, signed.
alter table mailing_links add column prefix text;

-- The name of the mailing by which somebody leaves, for the note of their entry on the suppression list.
alter table leave_wishes add column mailing text;

-- Addresses that get no marketing for a while, because their owner asked for a break.
-- owner: tracking
create table mailing_pauses (
  workspace_id bigint not null,
  domain text collate "C" not null,
  local text collate "C" not null,
  until timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, domain, local)
);
alter table mailing_pauses enable row level security;
create policy tenant on mailing_pauses
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Whose timeline tells of it. Null: of nobody who is a contact.
alter table tracked_sends add column contact_id bigint;
create index tracked_sends_contact on tracked_sends (workspace_id, contact_id) where contact_id is not null;
