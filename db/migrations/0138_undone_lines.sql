-- When a contact got its address back. An undone correction leaves out contacts that have changed
-- since or are in the bin: they keep the new address, so their lines stay in force. Null: in force.
alter table corrected_contacts add column undone_at timestamptz;
