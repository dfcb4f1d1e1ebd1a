-- When the first try of a send began that no server took. A send is given up by the time since
-- then: tries that never reached a server say nothing.
alter table sends add column tried_since timestamptz;
