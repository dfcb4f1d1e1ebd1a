-- A mailing that was begun while a mail server took its messages. Without one it waits: it is not
-- put into the outbox.
lock table mailings in access exclusive mode;
alter table mailings add column needs_server boolean not null default false;
-- Campaigns under way. The next message of any other says it.
update mailings m set needs_server = true
where m.kind = 'campaign' and coalesce(m.ended_at, 'infinity') = 'infinity'
  and exists (
    select from send_parts p where p.workspace_id = m.workspace_id and p.mailing_id = m.id and p.sent > 0
  )
  and not exists (
    select from outbox_messages o where o.workspace_id = m.workspace_id and o.mailing_id = m.id
  );
