-- What the world answered to a message: it came back, or its reader complained. Once for each message, so that whatever is
-- told twice changes nothing.
-- owner: bounces
create table bounces (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  contact_id bigint,
  -- As they were when the message was sent.
  local text collate "C" not null,
  domain text collate "C" not null,
  -- A complaint does not take the place of a bounce.
  event text not null check (event in ('bounce', 'complaint')),
  class text not null check (class in ('hard', 'soft', 'complaint')),
  -- What the server meant, and whose doing it is: see rules/kinds.ts.
  kind text not null,
  fault text not null check (fault in ('address', 'sender', 'server')),
  -- reply: the server refused it while it was handed over.
  source text not null,
  -- In the words of whoever told it.
  said text not null,
  -- Of a soft one: one of the five in a row that suppress an address.
  counts boolean not null,
  -- It put the address on the suppression list.
  has_suppressed boolean not null default false,
  -- The suppression list has not been told yet.
  is_due boolean not null,
  at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
create unique index bounces_send on bounces (workspace_id, mailing_id, send_id, event);
create index bounces_address on bounces (workspace_id, domain, local, id);
create index bounces_contact on bounces (workspace_id, contact_id) where contact_id is not null;
create index bounces_due on bounces (workspace_id, id) where is_due;
alter table bounces enable row level security;
create policy tenant on bounces
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- How many messages of a mailing came back or were complained of. They change in the transaction that writes a bounce down.
-- owner: bounces
create table mailing_bounces (
  workspace_id bigint not null,
  mailing_id bigint not null,
  hard bigint not null default 0,
  soft bigint not null default 0,
  complained bigint not null default 0,
  primary key (workspace_id, mailing_id)
);
alter table mailing_bounces enable row level security;
create policy tenant on mailing_bounces
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
