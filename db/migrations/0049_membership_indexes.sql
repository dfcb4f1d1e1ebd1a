-- These indexes find what one contact is on. A B-tree also has an order, and the planner may walk it
-- to find the newest contacts of a small list: past all the others. A hash index has none.
drop index list_members_contact;
create index list_members_contact on list_members using hash (contact_id);
drop index contact_tags_contact;
create index contact_tags_contact on contact_tags using hash (contact_id);
