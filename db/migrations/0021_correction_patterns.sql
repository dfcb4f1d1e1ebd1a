-- From which domain to which a correction moved its contacts, so that a list of corrections need not read all of them. Null where
-- contacts of several patterns were corrected together.
alter table corrections add column from_domain text collate "C";
alter table corrections add column to_domain text collate "C";

update corrections c set from_domain = k.from_domain, to_domain = k.to_domain
from (
  select workspace_id, correction_id, min(old_domain) as from_domain, min(new_domain) as to_domain
  from corrected_contacts group by workspace_id, correction_id
  having min(old_domain) = max(old_domain) and min(new_domain) = max(new_domain)
) k
where k.workspace_id = c.workspace_id and k.correction_id = c.id;

-- Decisions of the past are listed newest first.
create index corrections_created_at on corrections (workspace_id, created_at desc, id desc);
create index merges_created_at on merges (workspace_id, created_at desc, id desc);
