-- owner: verification
-- What each person has left of the single addresses they may have verified, as the time from which on it is all there again. In
-- the database, so that it holds for all processes together. Unlogged: a crash forgets it, which lets people verify a little more.
create unlogged table verification_uses (
  workspace_id bigint not null,
  user_id bigint not null,
  full_at timestamptz not null,
  primary key (workspace_id, user_id)
) with (fillfactor = 50);
alter table verification_uses enable row level security;
create policy tenant on verification_uses
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
