-- Two more sections of the settings: who mail is from, and how long things are kept.

alter table settings
  add column sender jsonb,
  add column retention jsonb;

-- How long files that were only tried are kept is each workspace's own choice now.
drop function expire_checked_imports(integer);
