-- Nobody's address is in a mailing twice. Only the primary key leads to the sends of a mailing:
-- the planner knows nothing of a mailing that was frozen a second ago, takes it for one row, and
-- would read all of it by this index to find ten sends. A partial index is no way to rows whose
-- condition a query does not name.
drop index sends_identity;
create unique index sends_identity on sends (workspace_id, mailing_id, domain, local)
  where contact_id is not null;
