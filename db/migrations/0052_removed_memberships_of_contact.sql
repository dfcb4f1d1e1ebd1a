-- Finds what removals took away from one contact, for its timeline. What is in the bin with its contact has an index already.
create index removed_memberships_contact on removed_memberships (workspace_id, contact_id) where change_id <> 0;
