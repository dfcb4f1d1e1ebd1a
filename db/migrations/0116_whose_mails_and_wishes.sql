-- Whose message came back, and who wants to leave, as the ledger knew them: it forgets whoever is
-- erased before these rows are asked for, and messages sooner than the mails about them.
alter table bounce_mails
  add column contact_id bigint,
  add column local text collate "C",
  add column domain text collate "C";
alter table leave_wishes add column contact_id bigint;
update bounce_mails m set contact_id = s.contact_id, local = s.local, domain = s.domain
from sends s where s.workspace_id = m.workspace_id and s.mailing_id = m.mailing_id and s.id = m.send_id;
update leave_wishes w set contact_id = s.contact_id
from sends s where s.workspace_id = w.workspace_id and s.mailing_id = w.mailing_id and s.id = w.send_id;
