-- Filtering contacts by where they came from. Without the id, so that the many contacts of one source share one key: about
-- seven bytes a contact.
create index contacts_source on contacts (workspace_id, source) where source is not null;
