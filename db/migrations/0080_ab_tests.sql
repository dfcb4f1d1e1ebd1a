-- A/B tests: a share of a mailing's people gets one of some variants, and the rest the one that
-- did best.

-- Which variant somebody got. 0: one of the rest. Null: the mailing has no test.
alter table sends add column test_group smallint;

-- A part has sends of one group. `variant` is the content that they get; null: the mailing's own,
-- or not decided yet, and then the part waits.
alter table send_parts add column test_group smallint;
alter table send_parts add column variant smallint;

alter table campaigns add column ab_test jsonb;

-- owner: sending
create table mailing_tests (
  workspace_id bigint not null,
  mailing_id bigint not null,
  -- Percent of the people who are in the test.
  share smallint not null,
  decide_by text not null check (decide_by in ('clicks', 'opens', 'hand')),
  -- From the start to the decision.
  hours smallint not null,
  due_at timestamptz,
  winner smallint,
  decided_at timestamptz,
  decided_by text,
  primary key (workspace_id, mailing_id)
);
create index mailing_tests_due on mailing_tests (due_at) where winner is null and due_at is not null;
alter table mailing_tests enable row level security;
create policy tenant on mailing_tests
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- What a variant says in place of the mailing. Without HTML it has that of the mailing.
-- owner: sending
create table mailing_variants (
  workspace_id bigint not null,
  mailing_id bigint not null,
  number smallint not null check (number between 1 and 5),
  subject text not null,
  preheader text not null,
  from_name text not null,
  from_address text not null,
  html text,
  text text,
  -- Leaves so many hours after the start.
  delay_hours smallint not null default 0,
  primary key (workspace_id, mailing_id, number)
);
alter table mailing_variants enable row level security;
create policy tenant on mailing_variants
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- The workspaces with a test whose time to decide has come.
create function workspaces_with_due_tests() returns setof bigint
language sql stable security definer set search_path to 'public', 'pg_temp' as $$
  select distinct t.workspace_id from mailing_tests t
  join mailings m on m.workspace_id = t.workspace_id and m.id = t.mailing_id and m.status <> 'cancelled'
  where t.winner is null and t.due_at is not null and t.due_at <= clock_timestamp() and t.decide_by <> 'hand'
$$;
