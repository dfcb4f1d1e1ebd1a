-- How many messages a mail server takes in an hour and in a minute. Null: as many as there are.
-- `*_next_at`: what has left through it fills the limit until then. All processes count here.
alter table smtp_servers
  add column per_hour integer check (per_hour between 1 and 1000000),
  add column per_minute integer check (per_minute between 1 and 100000),
  add column hour_next_at timestamptz not null default 'epoch',
  add column minute_next_at timestamptz not null default 'epoch';
