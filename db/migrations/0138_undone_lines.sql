-- When a contact got its address back. An undone correction leaves out contacts that have changed
-- since or are in the bin: they keep the new address, so their lines stay in force. Null: in force.
lock table corrected_contacts in access exclusive mode;
alter table corrected_contacts add column undone_at timestamptz;
-- Nobody has noted who was left out: those that have another address than before by now.
update corrected_contacts k set undone_at = d.undone_at
from corrections d
where d.workspace_id = k.workspace_id and d.id = k.correction_id and d.undone_at is not null
  and not exists (
    select from contacts c
    where c.workspace_id = k.workspace_id and c.id = k.contact_id
      and (c.domain, c.local) <> (k.old_domain, k.old_local)
  )
  and not exists (
    select from removed_contacts c
    where c.workspace_id = k.workspace_id and c.id = k.contact_id
      and (c.domain, c.local) <> (k.old_domain, k.old_local)
  );
