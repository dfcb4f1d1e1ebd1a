import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { holdFigures } from '#features/rollups/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import { answersCallWith, type TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type LiftMany, liftManyBody, type SuppressionReason } from '../../contract.ts';
import { entriesInWords, liftingDays, writtenAddress } from '../../rules.ts';
import { selectPage } from '../list-queries.ts';
import { patiently } from '../patience.ts';
import { fewEntries, type WorkContext } from '../piecework.ts';
import { type AddressKey, type EmailSuppressionRow, type ListName, selectAddress } from '../queries.ts';
import { searchText } from '../search-text.ts';
import { liftPiece, putBackPiece } from './lifting-pieces.ts';
import {
  closeLifting,
  countPicked,
  isMatching,
  isNamed,
  type LiftedRow,
  type LiftingRow,
  lockLifting,
  markUndone,
  openLifting,
  selectKept,
  selectLifted,
} from './lifting-queries.ts';

/**
 * Taking entries off a list, with who, when and why in the audit log, and putting them back. A few
 * thousand are done within the call, in one transaction. More become a task, see lifting-tasks.ts.
 */
export interface Lifted {
  removed: number;
  liftingId: number | null;
}

const list = z.enum(['email', 'domain']);
export const liftInput = z.strictObject({ list, selection: liftManyBody, count: z.number() });
export type LiftInput = z.output<typeof liftInput>;
export const undoInput = z.strictObject({ liftingId: z.number(), list, count: z.number() });
export type UndoInput = z.output<typeof undoInput>;

const nameOf = (row: LiftedRow) =>
  row.local === null ? row.domain : writtenAddress({ local: row.local, domain: row.domain });

/**
 * Takes one entry off. Throws `not_found` if the id is not this workspace's, and
 * `changed_meanwhile` when its reason is another by now than the caller has seen.
 */
export async function liftOne(
  tx: TenantTx,
  actor: Actor,
  list: ListName,
  id: number,
  { reason: why, expected }: { reason?: string | undefined; expected?: SuppressionReason | undefined },
): Promise<Lifted> {
  const { workspaceId } = actor;
  const lifting = await lift(tx, actor, list, [id], why);
  if (lifting.liftingId === null) {
    throw new AppError('not_found', 'This entry is not on the suppression list any more.');
  }
  const [entry] = await selectLifted(tx, workspaceId, lifting.liftingId, 1);
  if (!entry) throw new Error(`lifting ${lifting.liftingId} kept nothing`);
  if (expected && entry.reason !== expected) throw changedMeanwhile(nameOf(entry));
  const subject = list === 'email' ? 'suppression' : 'domain_suppression';
  const { reason, note, createdBy, createdAt } = entry;
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: `${subject}.lifted`,
    subject: `${subject}:${id}`,
    details: {
      name: nameOf(entry),
      why: why || null,
      liftingId: lifting.liftingId,
      was: { reason, note, createdBy, createdAt: createdAt.toISOString() },
    },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Suppression Removed',
    details: nameOf(entry),
    status: 'completed',
    icon: 'user-check',
    iconColor: 'success',
    actor: actor.email,
  });
  return lifting;
}

const changedMeanwhile = (name: string) =>
  new AppError(
    'changed_meanwhile',
    `${name} is on the suppression list for another reason by now, and stays there. Look at it again.`,
  );

/** Takes many entries off: those named, or all that match. Skips ids that are not on the list. */
export async function liftMany(
  { db, tasks }: WorkContext,
  workspaceId: number,
  caller: Caller,
  { list, selection }: { list: ListName; selection: LiftMany },
): Promise<Lifted | Task> {
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const chosen = await choose(tx, workspaceId, list, selection);
      if ('count' in chosen) return chosen;
      const lifted = await lift(tx, { workspaceId, email: caller.email }, list, chosen.ids, selection.reason);
      await tellLifted(tx, workspaceId, caller.email, { list, selection, lifted });
      return lifted;
    },
    answersCallWith('removed'),
  );
  if (!('count' in done)) return done;
  return tasks.start(workspaceId, 'suppressions.lift', { list, selection, count: done.count }, caller);
}

/**
 * The entries that a selection names or finds. For very many, only their number, which may be an
 * estimate.
 */
async function choose(
  tx: TenantTx,
  workspaceId: number,
  list: ListName,
  selection: LiftMany,
): Promise<{ ids: readonly number[] } | { count: number }> {
  if ('ids' in selection) {
    if (selection.ids.length <= fewEntries) return { ids: selection.ids };
    return { count: await countPicked(tx, workspaceId, list, isNamed(selection.ids)) };
  }
  const { search = '', reason = null } = selection.filter;
  const found = await selectPage(tx, workspaceId, list, {
    text: searchText(list, search),
    reason,
    after: null,
    skip: 0,
    take: fewEntries + 1,
  });
  return found.ids.length <= fewEntries ? { ids: found.ids } : { count: found.total };
}

/** True for the entries `s` of a selection. */
export const picks = (list: ListName, selection: LiftMany): RawBuilder<unknown> =>
  'ids' in selection
    ? isNamed(selection.ids)
    : isMatching(list, searchText(list, selection.filter.search ?? ''), selection.filter.reason ?? null);

/**
 * Whether the owner of an address can take back what put it on the list: the entry has this reason
 * alone, nobody else has put it there too, before or since, and it is at most as old as `minutes`.
 */
export const canTakeBack = (
  entry: EmailSuppressionRow,
  { reason, minutes }: { reason: string; minutes: number },
): boolean =>
  entry.reason === reason &&
  entry.createdAt.getTime() >= Date.now() - minutes * 60_000 &&
  entry.createdBy === null &&
  !entry.isImported &&
  !entry.isByOthers &&
  !entry.refusesAll;

/**
 * Takes the entry of an address off when its owner takes it back, if they can. Returns whether they
 * could.
 * @throws LockBusy when the list is being changed for longer than 0.8 s.
 */
export async function liftForRecipient(
  tx: TenantTx,
  workspaceId: number,
  key: AddressKey,
  { why, ...limits }: { reason: string; minutes: number; why: string },
): Promise<boolean> {
  const seen = await selectAddress(tx, workspaceId, key);
  if (!seen || !canTakeBack(seen, limits)) return false;
  // Looked at again, because somebody may be putting the address on the list at this moment.
  const entry = await patiently(tx, async () => {
    await holdFigures(tx, workspaceId);
    return selectAddress(tx, workspaceId, key, { isHeld: true });
  });
  if (!entry || !canTakeBack(entry, limits)) return false;
  const lifted = await lift(tx, { workspaceId, email: null }, 'email', [entry.id], why);
  return lifted.removed > 0;
}

async function lift(
  tx: TenantTx,
  { workspaceId, email }: { workspaceId: number; email: string | null },
  list: ListName,
  ids: readonly number[],
  why: string | undefined,
): Promise<Lifted> {
  const id = await openLifting(tx, workspaceId, list, { why: why || null, liftedBy: email });
  await liftPiece(tx, workspaceId, list, id, ids);
  const removed = await closeLifting(tx, workspaceId, id);
  return { removed, liftingId: removed > 0 ? id : null };
}

/** Records that many entries were taken off. `end`: how the work was interrupted, if it was. */
export async function tellLifted(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: { list: ListName; selection: LiftMany; lifted: Lifted; end?: string; isTask?: boolean },
): Promise<void> {
  const { list, selection, lifted, end, isTask = false } = told;
  if (lifted.liftingId === null) return;
  await recordAudit(tx, workspaceId, {
    actor,
    action: list === 'email' ? 'suppressions.lifted' : 'domain_suppressions.lifted',
    subject: `lifting:${lifted.liftingId}`,
    details: {
      lifted: lifted.removed,
      why: selection.reason || null,
      ...('ids' in selection ? { named: selection.ids.length } : { filter: selection.filter }),
      ...(end ? { end } : {}),
    },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Suppressions Removed',
    details: `${entriesInWords(list, lifted.removed)} taken off the suppression list`,
    status: end === 'failed' ? 'failed' : 'completed',
    icon: 'user-check',
    iconColor: 'success',
    actor,
    ...(isTask ? { link: '/suppressions', notify: true } : {}),
  });
}

/**
 * Puts back what a lifting took off, with its old reasons and dates. Entries on the list again by
 * then stay, with the weightier reason.
 */
export async function undoLiftingOf(
  { db, tasks }: WorkContext,
  workspaceId: number,
  caller: Caller,
  liftingId: number,
): Promise<{ restored: number } | Task> {
  const done = await db.asTenant(
    workspaceId,
    async (tx) => {
      const lifting = await patiently(tx, () => needUndoable(tx, workspaceId, liftingId));
      if (lifting.entries > fewEntries) return lifting;
      const { list, entries } = lifting;
      const ids = await selectKept(tx, workspaceId, liftingId, { after: 0, limit: entries });
      const restored = await putBackPiece(tx, workspaceId, list, liftingId, ids);
      await markUndone(tx, workspaceId, liftingId, true);
      await tellUndone(tx, workspaceId, caller.email, { liftingId, list, restored, count: entries });
      return { restored };
    },
    answersCallWith('restored'),
  );
  if ('restored' in done) return done;
  const { list, entries: count } = done;
  return tasks.start(workspaceId, 'suppressions.undo_lifting', { liftingId, list, count }, caller);
}

export async function needUndoable(
  tx: TenantTx,
  workspaceId: number,
  liftingId: number,
): Promise<LiftingRow> {
  const lifting = await lockLifting(tx, workspaceId, liftingId, liftingDays);
  if (!lifting) throw new AppError('not_found', 'There is nothing to put back under this number.');
  if (lifting.isOpen) {
    throw new AppError('conflict', 'These are still being removed. Wait for the end, or cancel the task.');
  }
  if (lifting.undoneAt) throw new AppError('conflict', 'This was put back already.');
  if (lifting.isExpired) {
    throw new AppError(
      'gone',
      `This was removed more than ${liftingDays} days ago and is not kept any more.`,
    );
  }
  return lifting;
}

/** Records that entries were put back. */
export async function tellUndone(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: UndoInput & { restored: number; end?: string; isTask?: boolean },
): Promise<void> {
  const { liftingId, list, restored, count, end, isTask = false } = told;
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'suppressions.lifting_undone',
    subject: `lifting:${liftingId}`,
    details: { list, restored, ...(end ? { end } : { leftAsIs: count - restored }) },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Suppression Restored',
    details: `${entriesInWords(list, restored)} put back on the suppression list`,
    status: end === 'failed' ? 'failed' : 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor,
    ...(isTask ? { link: '/suppressions', notify: true } : {}),
  });
}
