import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import type { removalKinds } from '../contract.ts';
import { removalsLock } from './locks.ts';
export type RemovalKind = (typeof removalKinds)[number];

export interface NewRemoval {
  kind: RemovalKind;
  removedBy: string | null;
  importId?: number;
  /** In words. A clean counts its reasons instead. */
  why?: string;
}

/**
 * Runs removals one after the other. Two large removals of the same contacts in different orders
 * would deadlock.
 */
export const holdRemovals = (tx: TenantTx, workspaceId: number): Promise<void> =>
  takeLock(tx, removalsLock, workspaceId);

/** Why a clean removes a contact, as stored. */
export const reasonCodes = { duplicate: 1, invalid: 2, nonUk: 3 } as const;

/**
 * Opens a removal that contacts are then moved into. It gets its number once it holds the removals,
 * so a removal with a lower one is committed by then, or gone.
 */
export async function openRemoval(tx: TenantTx, workspaceId: number, removal: NewRemoval): Promise<number> {
  await holdRemovals(tx, workspaceId);
  const { rows } = await sql<{ id: number }>`
    insert into removals (workspace_id, kind, import_id, removed_by, why, is_open)
    values (${workspaceId}, ${removal.kind}, ${removal.importId ?? null}, ${removal.removedBy}, ${removal.why ?? null}, true)
    returning id`.execute(tx);
  return rows[0]?.id as number;
}

export interface CleanedCounts {
  duplicates: number;
  invalid: number;
  nonUk: number;
}

/**
 * Closes a removal, so that nothing more is added to it. An empty one is deleted, and the answer is
 * then null.
 */
export async function closeRemoval(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  cleaned?: CleanedCounts,
): Promise<{ id: number; contacts: number } | null> {
  const { rows } = await sql<{ contacts: number }>`
    update removals set is_open = false, duplicates = ${cleaned?.duplicates ?? null},
      invalid = ${cleaned?.invalid ?? null}, non_uk = ${cleaned?.nonUk ?? null}
    where workspace_id = ${workspaceId} and id = ${id} returning contacts`.execute(tx);
  const contacts = rows[0]?.contacts ?? 0;
  if (contacts > 0) return { id, contacts };
  await sql`delete from removals where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return null;
}

/** How many of a removal's contacts went for each reason of a clean. */
export async function countByReason(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
): Promise<CleanedCounts> {
  const count = (reason: number) => sql`count(*) filter (where reason = ${sql.lit(reason)})`;
  const { rows } = await sql<CleanedCounts>`
    select ${count(reasonCodes.duplicate)} as duplicates, ${count(reasonCodes.invalid)} as invalid,
           ${count(reasonCodes.nonUk)} as "nonUk"
    from removed_contacts where workspace_id = ${workspaceId} and removal_id = ${removalId}`.execute(tx);
  return rows[0] ?? { duplicates: 0, invalid: 0, nonUk: 0 };
}

export interface IdRange {
  from: number;
  to: number;
}

export interface Removal {
  contacts: number;
  restoredAt: Date | null;
  /** How many came back. */
  restored: number;
  /** A task is restoring it. */
  isRestoring: boolean;
  /** Nothing of it is in the bin. */
  isEmpty: boolean;
  /** The same, although not all of it came back. */
  isLost: boolean;
  isExpired: boolean;
}

/** True for a removal `m` with contacts in the bin. */
export const isHolding: Fragment = sql`exists (
  select from removed_contacts x where x.workspace_id = m.workspace_id and x.removal_id = m.id
)`;

/** True for a removal `m` of which some left the bin for good, and nothing is there any more. */
const isLost: Fragment = sql`(m.restored < m.contacts and not ${isHolding})`;

/** True for a removal `m` whose time in the bin is over. */
const isExpired = (binDays: number): Fragment =>
  sql`m.created_at < now() - make_interval(days => ${binDays}::int)`;

/** True for a removal `m` that cannot come back any more. `lockRemoval` says why. */
export const cannotComeBack = (binDays: number): Fragment => sql`(${isExpired(binDays)} or ${isLost})`;

/**
 * The removal, locked until the transaction ends. Null when the workspace has none with this id.
 */
export async function lockRemoval(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  binDays: number,
): Promise<Removal | null> {
  const { rows } = await sql<Removal>`
    select contacts, restored_at as "restoredAt", restored, is_restoring as "isRestoring",
      not ${isHolding} as "isEmpty", ${isLost} as "isLost", ${isExpired(binDays)} as "isExpired"
    from removals m where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

/** The next ids of a removal's contacts in the bin. */
export async function selectInBin(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  { after, limit }: { after: number; limit: number },
): Promise<IdRange | null> {
  const { rows } = await sql<{ from: number | null; to: number | null }>`
    select min(id) as "from", max(id) as "to" from (
      select id from removed_contacts
      where workspace_id = ${workspaceId} and removal_id = ${removalId} and id > ${after}
      order by id limit ${limit}
    ) next`.execute(tx);
  const { from, to } = rows[0] ?? { from: null, to: null };
  return from === null || to === null ? null : { from, to };
}

/** How many of a removal's contacts are in the bin. */
export async function countInBin(tx: TenantTx, workspaceId: number, removalId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from removed_contacts
    where workspace_id = ${workspaceId} and removal_id = ${removalId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Marks a removal as being restored by a task, so that nobody starts it twice. */
export async function markRestoring(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  taskId: number,
): Promise<void> {
  await sql`
    update removals set is_restoring = true, restoring_task_id = ${taskId}
    where workspace_id = ${workspaceId} and id = ${removalId}`.execute(tx);
}

/** Takes the mark of a task away. That of another, which began since, stays. */
export async function unmarkRestoring(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  taskId: number,
): Promise<void> {
  await sql`
    update removals set is_restoring = false, restoring_task_id = null
    where workspace_id = ${workspaceId} and id = ${removalId}
      and coalesce(restoring_task_id, ${taskId}) = ${taskId}`.execute(tx);
}

/**
 * Frees the removals whose restoring has ended although they are still marked. An earlier version
 * that ends the task of a newer one leaves the mark, and nothing else would ever take it away.
 */
export async function freeRestored(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    update removals m set is_restoring = false, restoring_task_id = null
    where m.workspace_id = ${workspaceId} and m.is_restoring and not exists (
      select from tasks t
      where t.workspace_id = m.workspace_id and t.kind = 'contacts.restore' and t.status in ('waiting', 'running')
        and t.input ->> 'removalId' = m.id::text
    )`.execute(tx);
}

/**
 * Counts contacts that came back, and notes when the last did. A removal that nothing came back
 * from can still be restored.
 */
export async function noteRestored(
  tx: TenantTx,
  workspaceId: number,
  removalId: number,
  contacts: number,
): Promise<void> {
  await sql`
    update removals m set restored = restored + ${contacts},
      restored_at = case when ${contacts} > 0 or not ${isHolding} then now() else restored_at end
    where workspace_id = ${workspaceId} and id = ${removalId}`.execute(tx);
}

/** True for a removal `m` that can no longer be restored. One that is being restored comes back. */
const isOver = (binDays: number): Fragment => sql`(${isExpired(binDays)} and not m.is_restoring)`;

/** How many contacts in the bin can no longer be restored. */
export async function countExpired(tx: TenantTx, workspaceId: number, binDays: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from removals m join removed_contacts r on r.workspace_id = m.workspace_id and r.removal_id = m.id
    where m.workspace_id = ${workspaceId} and ${isOver(binDays)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Removals that one transaction empties. */
const removalsAtOnce = 1000;

/**
 * Some of the removals that hold contacts which can no longer be restored. It goes through those
 * that hold any, one index look-up each: the empty ones are kept for ever and are many more. With
 * 560,000 removals, of which 28,000 hold contacts, that takes 0.4 s.
 */
async function selectOver(tx: TenantTx, workspaceId: number, binDays: number): Promise<number[]> {
  const nextAfter = (id: Fragment) => sql`
    select x.removal_id from removed_contacts x
    where x.workspace_id = ${workspaceId} and x.removal_id > ${id} order by x.removal_id limit 1`;
  const { rows } = await sql<{ id: number }>`
    with recursive holding (id) as (
      (${nextAfter(sql`0`)})
      union all
      select (${nextAfter(sql`h.id`)}) from holding h where h.id is not null
    )
    select m.id from holding h join removals m on m.workspace_id = ${workspaceId} and m.id = h.id
    where ${isOver(binDays)} limit ${removalsAtOnce}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Deletes up to a given number of contacts for good from removals that can no longer be restored.
 * Answers how many, or null when there are none. It waits for whoever restores contacts just now,
 * and only once it has found some: looking for them takes longer than others should wait.
 */
export async function purgePieceOfBin(
  tx: TenantTx,
  workspaceId: number,
  binDays: number,
  limit: number,
): Promise<number | null> {
  const over = await selectOver(tx, workspaceId, binDays);
  if (over.length === 0) return null;
  await holdRemovals(tx, workspaceId);
  // Somebody may have begun to restore one meanwhile.
  const gone = await sql`
    delete from removed_contacts where ctid = any(array(
      select r.ctid from removals m
      cross join lateral (
        select x.ctid from removed_contacts x where x.workspace_id = ${workspaceId} and x.removal_id = m.id
        order by x.id limit ${limit}
      ) r
      where m.workspace_id = ${workspaceId} and m.id = any(${over}::bigint[]) and ${isOver(binDays)}
      limit ${limit}
    ))`.execute(tx);
  return Number(gone.numAffectedRows ?? 0);
}

export const everyId: IdRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

export const isWithin = ({ from, to }: IdRange): Fragment => sql`r.id between ${from} and ${to}`;
