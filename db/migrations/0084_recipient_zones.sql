-- A campaign may leave at the same time of day wherever its recipients are. Its sends then have
-- times of their own, before which they wait.
alter table campaigns add column by_recipient_zone boolean not null default false;
-- What the clocks of each recipient are to show. Null: it leaves at once.
alter table mailings add column local_time timestamp;
