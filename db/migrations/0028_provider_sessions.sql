-- Whether a session was begun at the identity provider. Such a session needs no second factor of ours, and its beginning is what
-- people without a password confirm themselves with.
alter table sessions add column through_provider boolean not null default false;
