-- By itself, because 0138 holds the table until it ends, and this may take a while.
-- Nobody has noted who was left out: those that have another address than before by now.
update corrected_contacts k set undone_at = d.undone_at
from corrections d
where d.workspace_id = k.workspace_id and d.id = k.correction_id and d.undone_at is not null
  and k.undone_at is null
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
