-- The newest contacts while an import is at work.

-- The rows that an import is inserting stand at the end of the primary key, and whoever asks for the newest contacts would pass
-- over each of them, a million in half a second, until it commits. While it runs they are looked for before its first id, and
-- here: those that came one by one meanwhile. The sign makes it an index of its own kind, which no other condition takes.
create index contacts_by_hand on contacts (workspace_id, (-id)) where import_id is null;
