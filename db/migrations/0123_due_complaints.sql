-- Complaints that the suppression list has not been told of. The ledger asks at each hand-over.
create index bounces_due_complaints on bounces (workspace_id, contact_id) where is_due and class = 'complaint';
