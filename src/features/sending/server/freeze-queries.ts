import { sql } from 'kysely';
import { mayBeMailed } from '#features/basis/server/index.ts';
import type { Basis } from '#features/contacts/contract.ts';
import { contactStates } from '#features/contacts/rules.ts';
import { isSuppressed, suppressionJoins } from '#features/contacts/server/index.ts';
import type { Fragment, SystemDb, TenantTx } from '#platform/server/database.ts';
import { Leases, leaseSeconds, type WorkKey, type WorkRun } from '#platform/server/work/leases.ts';
import type { WorkRecord } from '#platform/server/work/runner.ts';
import { movedInStream } from './mailing-queries.ts';
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
    returning workspace_id as "workspaceId", id, attempts, audience, rest_days as "restDays", spread_hours as "spreadHours", false as "cancelRequested"`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** Why the contact `c` may not be in a mailing; null when it may. `mailable`: by its basis. */
const leftOutBecause = (mailable: readonly Basis[], rests: boolean): Fragment => sql`case
  when ${isSuppressed} then 'suppressed'
  when c.state = ${sql.lit(contactStates.invalid)} then 'invalid'
  when not ${mayBeMailed(mailable)} then 'no_basis'
  ${rests ? sql`when l.rests then 'mailed_lately' when l.is_capped then 'over_cap'` : sql``} end`;

/**
 * Writes down everybody whom `matching` means, and in parts those who may be mailed. Those who rest
 * are written down too, and with `keepsLeftOut` all who may not be mailed, so that the mailing can
 * say why. A copy has the address of another contact, which is the one that is mailed.
 */
export async function insertPeople(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  {
    matching,
    mailable,
    rest,
    keepsLeftOut,
  }: { matching: Fragment; mailable: readonly Basis[]; rest: Rest | null; keepsLeftOut: boolean },
): Promise<void> {
  await sql`
    insert into sends (workspace_id, mailing_id, id, contact_id, local, domain, state, reason, ended_at)
    select ${workspaceId}::bigint, ${mailingId}::bigint, id, id, local, domain,
      case when reason is null then 'pending' else 'left_out' end, reason,
      case when reason is null then null else now() end
    from (
      select c.id, c.local, c.domain, ${leftOutBecause(mailable, rest !== null)} as reason
      from contacts c ${suppressionJoins}
      ${rest === null ? sql`` : sql`left join (${mailedLately(workspaceId, rest, mailingId)}) l on l.contact_id = c.id`}
      where c.workspace_id = ${workspaceId} and ${matching}
        and c.state <> ${sql.lit(contactStates.copy)}
      offset 0
    ) c
    ${keepsLeftOut ? sql`` : sql`where reason is null or reason in ('mailed_lately', 'over_cap')`}`.execute(
    tx,
  );
}

/**
 * Cuts those who may be mailed into parts. With `spreadHours` they leave evenly over so many hours:
 * a part may be taken up each minute, or more often where there are too many people for that.
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
  const notBefore =
    spreadHours === null
      ? sql`null::timestamptz`
      : sql`clock_timestamp() + make_interval(hours => ${spreadHours}::int) * (min(place)::float8 / max(people))`;
  await sql`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, total, not_before)
    select ${workspaceId}::bigint, ${mailingId}::bigint, min(id), max(id), count(*), ${notBefore}
    from (
      select id, place, people, place / ${size} as part
      from (
        select id, row_number() over (order by id) - 1 as place, count(*) over () as people from sends
        where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and state = 'pending'
      ) s
    ) s
    group by part order by part`.execute(tx);
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
