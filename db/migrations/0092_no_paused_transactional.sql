-- Nobody can resume a transactional mailing, so none is paused any more. Those that were go on by
-- themselves.
update mailings set status = 'sending', notice = null, wait_until = null
where kind = 'transactional' and status = 'paused';
alter table mailings add constraint mailings_paused_check check (kind <> 'transactional' or status <> 'paused');
