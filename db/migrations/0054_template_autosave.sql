-- Templates are saved while somebody writes, without a version for each of these saves.

alter table template_versions
  -- Nobody asked for this version: it was saved while somebody wrote.
  add column is_automatic boolean not null default false,
  -- Until when the next automatic save of the same person takes its place. Null: it stays.
  add column joins_until timestamptz;
