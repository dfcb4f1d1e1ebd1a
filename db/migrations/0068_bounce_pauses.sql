-- How many of its messages mail servers had answered when a mailing was last paused for its bounces. Whoever lets it go on is
-- not asked again at once.
alter table mailing_bounces add column paused_at bigint not null default 0;
