-- Finds the last messages to an address: those to contacts by the mailings that have not ended
-- before a moment, those to addresses alone by these.
create index mailings_campaigns on mailings (workspace_id, coalesce(ended_at, 'infinity')) where kind = 'campaign';
create index sends_direct on sends (workspace_id, domain, local) where contact_id is null;
