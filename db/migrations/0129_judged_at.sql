-- When the pass began that judged the events of a workspace by these rules, and whether it was
-- looked once more since: meanwhile a process of an older version may have written further ones.
alter table tracking_judgements
  add column judged_at timestamptz not null default now(),
  add column is_settled boolean not null default false;
