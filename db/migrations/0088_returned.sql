-- Messages that a server took and that came back later, so that what was delivered is known without
-- a walk through the recipients. A reply in the conversation refuses a message that nobody took.
alter table mailing_bounces add column returned bigint not null default 0;
update mailing_bounces f set returned = b.returned
from (
  select workspace_id, mailing_id, count(*) as returned from bounces
  where event = 'bounce' and source <> 'reply' group by 1, 2
) b
where b.workspace_id = f.workspace_id and b.mailing_id = f.mailing_id;
