import { sql } from 'kysely';
import type { SystemDb, TenantTx } from '#platform/server/database.ts';
import { prepared } from '#platform/server/prepared.ts';
import { Leases, leaseSeconds, type WorkKey, type WorkRun } from '#platform/server/work/leases.ts';
import type { WorkRecord } from '#platform/server/work/runner.ts';
import type { MailingKind } from '../rules/mailing.ts';
import { sendsNoted } from './telling/stream-events.ts';

/** Some hundred sends that one process works on at a time. */
export interface PartRow extends WorkRecord {
  mailingId: number;
  firstSend: number;
  lastSend: number;
  /** In a mailing with an A/B test: the group that its sends are in. */
  testGroup: number | null;
  /** The variant that they get. Null: the mailing as it is. */
  variant: number | null;
}

/** Who works on which part. */
export const partLeases = new Leases({
  name: 'send_parts',
  underWay: ['open'],
  givenBackAs: null,
  canBeCancelled: false,
});

/** Claims a part of a mailing of this kind, but none of these parts, and of these workspaces. */
export async function claimPart(
  db: SystemDb,
  lease: string,
  kind: MailingKind,
  { parts, workspaces }: { parts: readonly number[]; workspaces: readonly number[] },
): Promise<WorkKey | null> {
  const { rows } = await sql<WorkKey>`
    select workspace_id as "workspaceId", id
    from claim_mailing_part(${lease}::uuid, ${leaseSeconds}::int, ${kind}::text, ${[...parts]}::bigint[],
      ${[...workspaces]}::bigint[])`.execute(db);
  return rows[0] ?? null;
}

/**
 * Begins the part that this run has claimed, and counts the attempt. What an earlier run handed
 * over and did not hear the answer of is uncertain from now on: that run has lost its lease, so it
 * hands nothing over any more. Null when this run does not hold the part.
 */
export async function beginPart(tx: TenantTx, run: WorkRun, kind: MailingKind): Promise<PartRow | null> {
  const { rows } = await sql<PartRow>`
    update send_parts set attempts = attempts + 1 where ${partLeases.heldBy(run)}
    returning workspace_id as "workspaceId", id, mailing_id as "mailingId", first_send as "firstSend",
      last_send as "lastSend", test_group as "testGroup", variant, attempts, false as "cancelRequested"`.execute(
    tx,
  );
  const part = rows[0];
  if (!part) return null;
  await sql`
    with found as (
      update sends set state = 'uncertain', ended_at = clock_timestamp()
      where ${inPart(part)} and state = 'handed'
      returning id, contact_id, state, reason
    ), noted as (
      ${sendsNoted({ ...part, kind }, sql`found`)}
    )
    update send_parts set uncertain = uncertain + (select count(*) from found)
    where workspace_id = ${part.workspaceId} and id = ${part.id} and exists (select from found)`.execute(tx);
  return part;
}

/**
 * Locks parts of a mailing until the transaction ends, always in the same order, and answers the
 * lease of each that is under way.
 */
export async function lockParts(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; lease: string }>`${prepared}
    select id, case when status = 'open' then lease end as lease from send_parts
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])
    order by id for update`.execute(tx);
  return new Map(rows.map(({ id, lease }) => [id, lease]));
}

/** The sends of a part. */
export const inPart = ({
  workspaceId,
  mailingId,
  firstSend,
  lastSend,
  testGroup,
}: Pick<PartRow, 'workspaceId' | 'mailingId' | 'firstSend' | 'lastSend' | 'testGroup'>) =>
  sql`workspace_id = ${workspaceId} and mailing_id = ${mailingId} and id between ${firstSend} and ${lastSend}
    ${testGroup === null ? sql`` : sql`and test_group = ${testGroup}`}`;

/**
 * Ends the run's work on the part: it is done, or it waits until its next send is due. `isDone` is
 * null when the run does not hold it any more.
 */
export async function endPart(
  tx: TenantTx,
  run: WorkRun,
  part: PartRow,
): Promise<{ isDone: boolean | null }> {
  // By itself, so that the next statement counts what somebody has released until now.
  if (!(await partLeases.hold(tx, run))) return { isDone: null };
  const { rows } = await sql<{ isDone: boolean }>`
    with open as (
      select count(*) as sends, min(coalesce(due_at, clock_timestamp())) as due
      from sends where ${inPart(part)} and state in ('pending', 'deferred')
    )
    update send_parts p
    set status = case when open.sends = 0 then 'done' else 'open' end, lease = null, attempts = 0,
        lease_until = case when open.sends = 0 then null else open.due end
    from open where p.id = ${run.id} and p.workspace_id = ${run.workspaceId} and p.lease = ${run.lease}::uuid
      and p.status = 'open'
    returning p.status = 'done' as "isDone"`.execute(tx);
  return { isDone: rows[0]?.isDone ?? null };
}

/** Gives the part back before its end, for a reason that is no fault of it. */
export async function leavePart(tx: TenantTx, run: WorkRun): Promise<void> {
  await sql`update send_parts set attempts = 0 where ${partLeases.heldBy(run)}`.execute(tx);
  await partLeases.release(tx, run, 0);
}

/** Writes down that those who still wait are not mailed, since the mailing was cancelled. */
export async function skipRest(tx: TenantTx, run: WorkRun, part: PartRow, kind: MailingKind): Promise<void> {
  await sql`
    with done as (
      update sends set state = 'skipped', reason = 'cancelled', due_at = null, ended_at = clock_timestamp()
      where ${inPart(part)} and state in ('pending', 'deferred')
      returning id, contact_id, state, reason
    ), noted as (
      ${sendsNoted({ ...part, kind }, sql`done`)}
    )
    update send_parts
    set skipped = skipped + (select count(*) from done), deferred = 0
    where ${partLeases.heldBy(run)}`.execute(tx);
}
