-- When a campaign was last given its time. By recipient zone it is due hours before that time, so
-- one that was scheduled shortly before is told from one that was missed. Null: nobody knows.
lock table campaigns in access exclusive mode;
alter table campaigns add column scheduled_at timestamptz;
