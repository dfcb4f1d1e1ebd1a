-- What happened to one contact is put together when it is looked at; each part of it is found by an index.

-- The removal that a contact last came back from: the bin forgets what has left it.
alter table contacts add column restored_from bigint;

create index audit_log_subject on audit_log (workspace_id, subject, id);
create index corrected_contacts_contact on corrected_contacts (workspace_id, contact_id, correction_id);
create index merges_kept on merges (workspace_id, kept_id, id);
create index merges_removal on merges (workspace_id, removal_id);
create index lifted_suppressions_entry on lifted_suppressions (workspace_id, domain, local);
