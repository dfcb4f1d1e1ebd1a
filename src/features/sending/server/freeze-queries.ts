import { sql } from 'kysely';
import { mayBeMailed } from '#features/basis/server/index.ts';
import type { Basis } from '#features/contacts/contract.ts';
import { contactStates } from '#features/contacts/rules.ts';
import { isSuppressed, suppressionJoins } from '#features/contacts/server/index.ts';
import type { Fragment, SystemDb, TenantTx } from '#platform/server/database.ts';
import { Leases, leaseSeconds, type WorkKey, type WorkRun } from '#platform/server/work/leases.ts';
import type { WorkRecord } from '#platform/server/work/runner.ts';
import { movedInStream } from './mailing-queries.ts';
import { dueByZone } from './recipient-zones.ts';
import { mailedLately, type Rest } from './rest.ts';

/** Sends of a part. Few, so that a process that dies holds up few; many, so that parts are few. */
export const partSize = 500;

/** Who writes the people of which mailing down. */
export const freezeLeases = new Leases({
  name: 'mailings',
  underWay: ['freezing'],
  givenBackAs: null,
  canBeCancelled: false,
});

export interface FreezeRow extends WorkRecord {
  audience: unknown;
  restDays: number | null;
  spreadHours: number | null;
  /** What each recipient's clocks are to show, as `2026-11-24T10:00`. Null: it leaves at once. */
  localTime: string | null;
  /** Its A/B test. */
  test: TestedShare | null;
}

/** How many variants of a mailing are tried, on so many percent of its people. */
export interface TestedShare {
  share: number;
  variants: number;
}

export async function claimFreeze(
  db: SystemDb,
  lease: string,
  leaveOut: readonly number[],
): Promise<WorkKey | null> {
  const { rows } = await sql<WorkKey>`
    select workspace_id as "workspaceId", id
    from claim_freeze(${lease}::uuid, ${leaseSeconds}::int, ${[...leaveOut]}::bigint[])`.execute(db);
  return rows[0] ?? null;
}

/** Counts the attempt. Null when this run does not hold the mailing. */
export async function beginFreeze(tx: TenantTx, run: WorkRun): Promise<FreezeRow | null> {
  const { rows } = await sql<FreezeRow>`
    update mailings set attempts = attempts + 1 where ${freezeLeases.heldBy(run)}
    returning workspace_id as "workspaceId", id, attempts, audience, rest_days as "restDays", spread_hours as "spreadHours",
      to_char(local_time, 'YYYY-MM-DD"T"HH24:MI') as "localTime",
      (
        select jsonb_build_object('share', t.share, 'variants', (
          select count(*) from mailing_variants v where v.workspace_id = t.workspace_id and v.mailing_id = t.mailing_id
        ))
        from mailing_tests t where t.workspace_id = mailings.workspace_id and t.mailing_id = mailings.id
      ) as test,
      false as "cancelRequested"`.execute(tx);
  return rows[0] ?? null;
}

/** Why the contact `c` may not be in a mailing; null when it may. `mailable`: by its basis. */
const leftOutBecause = (
  mailable: readonly Basis[],
  rests: boolean,
  pauses: Fragment | null,
): Fragment => sql`case
  when ${isSuppressed} then 'suppressed'
  when c.state = ${sql.lit(contactStates.invalid)} then 'invalid'
  when c.state = ${sql.lit(contactStates.copy)} then 'duplicate'
  when not ${mayBeMailed(mailable)} then 'no_basis'
  ${pauses ? sql`when ${pauses} then 'paused'` : sql``}
  ${rests ? sql`when l.rests then 'mailed_lately' when l.is_capped then 'over_cap'` : sql``} end`;

/**
 * Writes down everybody whom `matching` means, and in parts those who may be mailed. Those who rest
 * are written down too, and with `keepsLeftOut` all who may not be mailed, so that the mailing can
 * say why. A copy is a duplicate: the contact that has the same address is the one that is mailed.
 */
export async function insertPeople(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  {
    matching,
    mailable,
    rest,
    pauses,
    keepsLeftOut,
    localTime,
    test,
  }: {
    matching: Fragment;
    mailable: readonly Basis[];
    rest: Rest | null;
    /** True for contacts who take a break. Null: nobody does. */
    pauses: Fragment | null;
    keepsLeftOut: boolean;
    localTime: string | null;
    test: TestedShare | null;
  },
): Promise<void> {
  const zones = localTime === null ? null : dueByZone(localTime);
  await sql`
    insert into sends (workspace_id, mailing_id, id, contact_id, local, domain, state, reason, ended_at, due_at, test_group)
    select ${workspaceId}::bigint, ${mailingId}::bigint, id, id, local, domain,
      case when reason is null then 'pending' else 'left_out' end, reason,
      case when reason is null then null else now() end, case when reason is null and due > clock_timestamp() then due end,
      ${test === null ? sql`null::smallint` : groupBy(mailingId, test)}
    from (
      select c.id, c.local, c.domain, ${leftOutBecause(mailable, rest !== null, pauses)} as reason,
        ${zones?.due ?? sql`null::timestamptz`} as due
      from contacts c ${suppressionJoins} ${zones?.join ?? sql``}
      ${rest === null ? sql`` : sql`left join (${mailedLately(workspaceId, rest, mailingId)}) l on l.contact_id = c.id`}
      where c.workspace_id = ${workspaceId} and ${matching}
      offset 0
    ) c
    ${keepsLeftOut ? sql`` : sql`where reason is null or reason in ('paused', 'mailed_lately', 'over_cap')`}`.execute(
    tx,
  );
}

/**
 * Which group of a test somebody is in, drawn anew for each mailing: 0 is the rest. Groups differ
 * by one person at most. In a small audience each variant has one, whatever the share.
 */
const groupBy = (mailingId: number, { share, variants }: TestedShare): Fragment => {
  const among = sql`partition by reason is null`;
  const place = sql`row_number() over (${among} order by hashint8extended(id, ${mailingId}::bigint)) - 1`;
  const tested = sql`greatest(${variants}::int, ceil(count(*) over (${among}) * ${share}::numeric / 100))`;
  return sql`case when reason is not null then null when ${place} < ${tested} then 1 + (${place}) % ${variants}::int else 0 end`;
};

/**
 * Cuts those who may be mailed into parts, each of one group of a test. The rest of a test waits. A
 * variant leaves its hours later. With `spreadHours` they leave evenly over so many hours:
 * a part may be taken up each minute, or more often where there are too many people for that. A
 * part waits for the first of its sends.
 */
export async function insertParts(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  spreadHours: number | null,
): Promise<void> {
  const size =
    spreadHours === null
      ? sql`${sql.lit(partSize)}`
      : sql`least(${sql.lit(partSize)}, ceil(people / ${spreadHours * 60}::numeric))::int`;
  const spread =
    spreadHours === null
      ? sql`interval '0'`
      : sql`make_interval(hours => ${spreadHours}::int) * (p.place / p.people)`;
  await sql`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, total, test_group, variant, not_before)
    select ${workspaceId}::bigint, ${mailingId}::bigint, p.first_send, p.last_send, p.total, p.test_group,
      nullif(p.test_group, 0),
      case when p.test_group = 0 then 'infinity'
        when ${spreadHours}::int is not null or v.delay_hours > 0
          then clock_timestamp() + ${spread} + make_interval(hours => coalesce(v.delay_hours, 0))
        else p.due end
    from (
      select test_group, part, min(id) as first_send, max(id) as last_send, count(*) as total,
        min(place)::float8 as place, max(people) as people,
        nullif(min(coalesce(due_at, '-infinity')), '-infinity') as due
      from (
        select id, test_group, due_at, place, people, place / ${size} as part
        from (
          select id, test_group, due_at, row_number() over (partition by test_group order by id) - 1 as place,
            count(*) over (partition by test_group) as people
          from sends
          where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and state = 'pending'
        ) s
      ) s
      group by test_group, part
    ) p
    left join mailing_variants v on v.workspace_id = ${workspaceId} and v.mailing_id = ${mailingId}
      and v.number = p.test_group
    order by p.test_group = 0, p.part, p.test_group`.execute(tx);
}

/** Lets the messages leave. Those who are left out are counted by reason. */
export async function endFreeze(tx: TenantTx, run: WorkRun): Promise<boolean> {
  return movedInStream(
    tx,
    sql`
    update mailings m
    set status = case when exists (
          select from send_parts p where p.workspace_id = m.workspace_id and p.mailing_id = m.id
        ) then 'sending' else 'completed' end,
      lease = null, lease_until = null, attempts = 0, started_at = clock_timestamp(), notice = null,
      left_out = (
        select coalesce(jsonb_object_agg(reason, contacts), '{}') from (
          select reason, count(*) as contacts from sends s
          where s.workspace_id = m.workspace_id and s.mailing_id = m.id and s.exception = 'left_out'
          group by reason
        ) r
      )
    where ${freezeLeases.heldBy(run)}`,
    'started',
  );
}
