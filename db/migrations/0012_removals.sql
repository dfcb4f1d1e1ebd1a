-- Removals in pieces, with what was removed and why; activities that lead somewhere and that ring the bell.

-- `is_open`: the work that fills the removal is not done yet. `restored_at` is set when restoring begins.
alter table removals
  add column is_open boolean not null default false,
  add column restored bigint not null default 0,
  add column duplicates bigint,
  add column invalid bigint,
  add column non_uk bigint;

-- Why a clean removed it: 1 a further copy, 2 invalid, 3 not UK.
alter table removed_contacts add column reason smallint check (reason in (1, 2, 3));

-- The screen that shows more, and whether people are told of it beside the list: 'notify' lines stand under the bell.
alter table activities
  add column link text,
  add column notify boolean not null default false;
create index activities_notices on activities (workspace_id, created_at desc, id desc) where notify;

-- owner: activities
-- Until when each person has seen what stands under the bell.
create table notification_reads (
  workspace_id bigint not null,
  user_id text not null,
  seen_until timestamptz not null,
  primary key (workspace_id, user_id)
);
alter table notification_reads enable row level security;
create policy tenant on notification_reads
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
