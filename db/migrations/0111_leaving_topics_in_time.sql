-- The lists without one of which nobody is in the mailing. Whoever leaves the last of them while
-- messages wait gets none.
alter table mailings add column lists bigint[] default '{}' not null;
