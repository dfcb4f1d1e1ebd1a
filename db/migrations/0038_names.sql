-- The first and the last name of a contact, beside the name it is shown with. Decision 29 says how the three go together.
-- Nullable columns without a default: PostgreSQL rewrites no row, and processes of an earlier version do not see them.
alter table contacts add column first_name text, add column last_name text;
alter table removed_contacts add column first_name text, add column last_name text;
