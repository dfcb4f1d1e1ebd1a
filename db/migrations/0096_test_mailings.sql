-- What people of the workspace get before a campaign is sent is a mailing of its own kind.
alter table mailings drop constraint mailings_kind_check;
alter table mailings add constraint mailings_kind_check check (kind in ('campaign', 'transactional', 'test'));
