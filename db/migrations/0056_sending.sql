-- What is sent: one frozen content, and whom it goes to. A campaign has one mailing, an A/B test one for each variant, a call
-- of POST /api/send one.
-- owner: sending
create table mailings (
  workspace_id bigint not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('campaign', 'transactional')),
  -- freezing: the people are being written down. sending: messages leave. Nothing leaves in any other state.
  status text not null default 'freezing' check (status in ('freezing', 'sending', 'paused', 'cancelled', 'completed')),
  -- In words, why nothing leaves just now, or why the product itself has paused it.
  notice text,
  -- Nothing is tried before this: the mail server cannot be reached.
  wait_until timestamptz,
  -- For people and in the Feedback-ID of each message.
  name text not null,
  from_name text not null,
  from_address text not null,
  reply_to text,
  subject text not null,
  preheader text not null default '',
  html text not null,
  text text not null,
  -- What is the same for all recipients: company_name and the like.
  merge_data jsonb not null default '{}',
  tracks_opens boolean not null,
  tracks_clicks boolean not null,
  -- Whom it goes to: a tree of the audience. Null: its sends were written when it was made.
  audience jsonb,
  created_by text,
  created_at timestamptz not null default clock_timestamp(),
  -- When the first message could leave, and when the last answer was in.
  started_at timestamptz,
  ended_at timestamptz,
  -- Contacts that the audience meant and that may not be mailed, by reason.
  left_out jsonb not null default '{}',
  -- The run that writes its people down.
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index mailings_open on mailings (status, workspace_id, id)
  where status in ('freezing', 'sending', 'cancelled') and ended_at is null;
alter table mailings enable row level security;
create policy tenant on mailings
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Some hundred sends that one process works on at a time, with their figures. The figures change in the transaction that
-- changes a send, so their sum is always true.
-- owner: sending
create table send_parts (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  -- Its sends have these ids: from the first to the last.
  first_send bigint not null,
  last_send bigint not null,
  status text not null default 'open' check (status in ('open', 'done')),
  lease uuid,
  -- Of a part without a lease: not before this.
  lease_until timestamptz,
  attempts integer not null default 0,
  total integer not null,
  sent integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  uncertain integer not null default 0,
  -- Waits for another try.
  deferred integer not null default 0,
  primary key (workspace_id, id)
) with (fillfactor = 60);
create unique index send_parts_first on send_parts (workspace_id, mailing_id, first_send);
create index send_parts_open on send_parts (workspace_id, mailing_id, id) where status <> 'done';
alter table send_parts enable row level security;
create policy tenant on send_parts
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- The ledger: one message to one person.
-- owner: sending
create table sends (
  workspace_id bigint not null,
  mailing_id bigint not null,
  -- Of a contact: its id, so nobody is in a mailing twice.
  id bigint not null,
  contact_id bigint,
  -- As they were when the audience was frozen. Whoever has moved since is not mailed.
  local text collate "C" not null,
  domain text collate "C" not null,
  -- handed: the mail server may have it, and its answer is not known yet. left_out: frozen as somebody who may not be mailed.
  state text not null default 'pending'
    check (state in ('pending', 'handed', 'sent', 'deferred', 'failed', 'skipped', 'uncertain', 'left_out')),
  attempts smallint not null default 0,
  -- Of a deferred one: when it is tried again.
  due_at timestamptz,
  handed_at timestamptz,
  ended_at timestamptz,
  -- Why it was skipped or left out, or the kind of failure.
  reason text,
  -- The server's last words.
  reply text,
  -- The values of a transactional message.
  data jsonb,
  -- What is not on the usual way. The usual way touches no index, so PostgreSQL updates its rows in place.
  exception text generated always as (
    case when state in ('deferred', 'failed', 'skipped', 'uncertain', 'left_out') or (state = 'handed' and attempts > 1)
      then state end
  ) stored,
  primary key (workspace_id, mailing_id, id)
) with (fillfactor = 75);
create unique index sends_identity on sends (workspace_id, mailing_id, domain, local);
create index sends_exceptions on sends (workspace_id, mailing_id, exception, id) where exception is not null;
alter table sends enable row level security;
create policy tenant on sends
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Messages as their readers would see them, where no mail server is set.
-- owner: sending
create table outbox_messages (
  workspace_id bigint not null,
  id bigint generated always as identity,
  mailing_id bigint not null,
  send_id bigint not null,
  recipient text not null,
  subject text not null,
  -- The whole message, compressed (zstd).
  source bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id)
);
alter table outbox_messages alter source set storage external;
create unique index outbox_messages_send on outbox_messages (workspace_id, mailing_id, send_id);
create index outbox_messages_recipient on outbox_messages (workspace_id, lower(recipient) text_pattern_ops);
create index outbox_messages_age on outbox_messages (workspace_id, created_at);
alter table outbox_messages enable row level security;
create policy tenant on outbox_messages
  using (workspace_id = (select current_workspace()))
  with check (workspace_id = (select current_workspace()));

-- Gives the run called `run` a mailing whose people are to be written down: one that waits, or whose process has fallen silent.
create function claim_freeze(run uuid, seconds integer, leave_out bigint[])
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
  update mailings m
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select o.workspace_id, o.id from mailings o
    where o.status = 'freezing' and o.ended_at is null and o.id <> all(leave_out)
      and coalesce(o.lease_until, '-infinity') < clock_timestamp()
    order by o.id limit 1
    for update of o skip locked
  ) next
  where m.workspace_id = next.workspace_id and m.id = next.id
  returning m.workspace_id, m.id
$$;
revoke execute on function claim_freeze(uuid, integer, bigint[]) from public;

-- Gives the run called `run` the next part to send. Transactional messages come first. Then the workspace at whose mailings
-- the fewest processes work, then the mailing with the fewest.
create function claim_send_part(run uuid, seconds integer, leave_out bigint[])
returns table (workspace_id bigint, id bigint)
language sql volatile security definer set search_path = public, pg_temp
as $$
  with open as materialized (
    select m.workspace_id, m.id, m.kind, m.status,
      (select count(*) from send_parts r
       where r.workspace_id = m.workspace_id and r.mailing_id = m.id and r.status <> 'done'
         and r.lease is not null and r.lease_until >= clock_timestamp()) as under_way
    from mailings m
    -- Of a cancelled one, those who wait are still to be written down as skipped.
    where m.status in ('sending', 'cancelled') and m.ended_at is null
      and coalesce(m.wait_until, '-infinity') < clock_timestamp()
  ), turns as (
    select o.*, sum(under_way) over (partition by workspace_id) as workspace_under_way from open o
  )
  update send_parts p
  set lease = run, lease_until = clock_timestamp() + make_interval(secs => seconds)
  from (
    select q.workspace_id, q.id
    from turns t
    cross join lateral (
      select s.workspace_id, s.id from send_parts s
      where s.workspace_id = t.workspace_id and s.mailing_id = t.id and s.status <> 'done'
        and coalesce(s.lease_until, '-infinity') < clock_timestamp() and s.id <> all(leave_out)
      order by s.id limit 1
      for update skip locked
    ) q
    order by t.status = 'cancelled', t.kind <> 'transactional', t.workspace_under_way, t.under_way, t.id
    limit 1
  ) next
  where p.workspace_id = next.workspace_id and p.id = next.id
  returning p.workspace_id, p.id
$$;
revoke execute on function claim_send_part(uuid, integer, bigint[]) from public;
