-- On what people opened and clicked for the first time.
-- owner: tracking
create table mailing_devices (
  workspace_id bigint not null,
  mailing_id bigint not null,
  device text not null,
  opened bigint not null default 0,
  clicked bigint not null default 0,
  primary key (workspace_id, mailing_id, device)
) with (fillfactor = 70);
alter table mailing_devices enable row level security;
create policy tenant on mailing_devices
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

insert into mailing_devices (workspace_id, mailing_id, device, opened, clicked)
select workspace_id, mailing_id, device, count(*) filter (where first_open = 1), count(*) filter (where kind = 'click' and first_click = 1)
from (
  select workspace_id, mailing_id, device, kind,
    row_number() over (partition by workspace_id, mailing_id, send_id order by at, id) as first_open,
    row_number() over (partition by workspace_id, mailing_id, send_id, kind order by at, id) as first_click
  from tracking_events where is_human and kind in ('open', 'click') and device is not null
) e
where first_open = 1 or (kind = 'click' and first_click = 1)
group by 1, 2, 3;
