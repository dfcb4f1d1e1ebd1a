-- Finds the transactional messages that did not leave as usual: the failed ones of the log, newest
-- first. No statement that sends can use it, see decision 50.
create index sends_direct_exceptions on sends (workspace_id, exception, mailing_id, id)
  where contact_id is null and exception is not null;
