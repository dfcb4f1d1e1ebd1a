-- Who followed a link is listed without a walk through all that happened.
create index tracking_events_link on tracking_events (workspace_id, mailing_id, link, send_id) where kind = 'click';

-- A large campaign by receiving domain and by link, as it was last counted.
-- owner: campaigns
create table campaign_breakdowns (
  workspace_id bigint not null,
  campaign_id bigint not null,
  counted_at timestamptz,
  -- How long the count took. The next one waits the longer.
  took_ms bigint not null default 0,
  -- Some process is counting until then.
  claimed_until timestamptz,
  -- Null: not yet.
  figures jsonb,
  primary key (workspace_id, campaign_id)
);
alter table campaign_breakdowns enable row level security;
create policy tenant on campaign_breakdowns
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));
