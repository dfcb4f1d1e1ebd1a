-- Former addresses: what a contact was called before it was corrected, and whom it was made one with. An import that brings one of
-- them again adds nobody. Corrections have noted them all along; merges relied on the bin, which forgets.

-- owner: contacts
-- Who went in a merge, under which address.
create table merged_contacts (
  workspace_id bigint not null,
  merge_id bigint not null,
  contact_id bigint not null,
  local text collate "C" not null,
  domain text collate "C" not null,
  primary key (workspace_id, merge_id, contact_id)
);
alter table merged_contacts enable row level security;
create policy tenant on merged_contacts
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

insert into merged_contacts (workspace_id, merge_id, contact_id, local, domain)
select g.workspace_id, g.id, r.id, r.local, r.domain
from merges g join removed_contacts r on r.workspace_id = g.workspace_id and r.removal_id = g.removal_id;

create index merged_contacts_address on merged_contacts (workspace_id, domain, local);
-- Whoever was merged into a contact that was merged itself.
create index merged_contacts_contact on merged_contacts (workspace_id, contact_id);
create index corrected_contacts_former on corrected_contacts (workspace_id, old_domain, old_local);
