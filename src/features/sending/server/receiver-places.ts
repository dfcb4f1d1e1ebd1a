import { sql } from 'kysely';
import { limitedReceivers, takePlaces } from '#features/pace/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { inPart, type PartRow } from './part-queries.ts';

/** A place is lost this long after its moment: what waited for another reason asks anew. */
const lateSeconds = 60;

/**
 * Lets the due sends of a part wait whose receiver gets only so many an hour: each until its place.
 * The caller holds the part's lease and has locked it in this transaction.
 */
export async function waitForPlaces(tx: TenantTx, part: PartRow): Promise<void> {
  const receivers = await limitedReceivers(tx, part.workspaceId);
  if (receivers.length === 0) return;
  // A limit of the domain itself is the nearer one.
  const { rows } = await sql<{ id: number; receiver: string }>`
    select s.id, case when s.domain = any(${receivers}::text[]) then s.domain else d.provider end as receiver
    from (select * from sends where ${inPart(part)} and state in ('pending', 'deferred')) s
    left join domain_mail d on d.domain = s.domain
    where (s.due_at is null or s.due_at <= clock_timestamp())
      and (s.reason is distinct from 'receiver_pace' or s.due_at < clock_timestamp() - make_interval(secs => ${lateSeconds}))
      and (s.domain = any(${receivers}::text[]) or d.provider = any(${receivers}::text[]))
    order by s.id`.execute(tx);
  const placed = await takePlaces(tx, part.workspaceId, rows);
  const waiting = placed.filter(({ dueAt }) => dueAt !== null);
  if (waiting.length === 0) return;
  await sql`
    with waiting as (
      select * from unnest(${waiting.map(({ id }) => id)}::bigint[], ${waiting.map(({ dueAt }) => dueAt)}::timestamptz[],
        ${waiting.map(({ isKept }) => isKept)}::boolean[]) as w (send, due_at, is_kept)
    ), before as (
      select s.id, s.state as was, w.due_at, w.is_kept from waiting w
      join sends s on s.workspace_id = ${part.workspaceId} and s.mailing_id = ${part.mailingId} and s.id = w.send
      where s.state in ('pending', 'deferred')
      for update of s
    ), done as (
      update sends s
      set state = 'deferred', due_at = b.due_at,
        reason = case when b.is_kept then 'receiver_pace' else 'receiver_full' end
      from before b
      where s.workspace_id = ${part.workspaceId} and s.mailing_id = ${part.mailingId} and s.id = b.id
      returning b.was
    )
    update send_parts
    set deferred = deferred + (select count(*) from done where was <> 'deferred')
    where workspace_id = ${part.workspaceId} and id = ${part.id}`.execute(tx);
}
