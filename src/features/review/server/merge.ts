import { hasId } from '#features/audience/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { type Bin, holdRemovals, lockRemoval } from '#features/bin/server/index.ts';
import { type StoredContact, writtenAddress } from '#features/contacts/rules.ts';
import { changeMany, selectContacts } from '#features/contacts/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type FieldChoice, type MergeableFields, mergedFields } from '../rules.ts';
import { closeMerge, insertMerge, lockMerge, selectBinnedIds } from './merge-queries.ts';

const gone = () => new AppError('not_found', 'One of these contacts is not there any more. Reload the list.');

export interface Merged {
  mergeId: number;
  removed: number;
  /** All of them as they were, the kept one first. */
  contacts: StoredContact[];
}

/**
 * Merges contacts into one. The others go to the bin as one removal. The kept contact takes what it
 * lacks from them, or what was chosen. The caller makes sure that no suppression is lost. At most
 * once per transaction.
 */
export async function mergeInto(
  bin: Bin,
  tx: TenantTx,
  actor: Actor,
  merge: { keepId: number; otherIds: readonly number[]; fields?: FieldChoice | undefined },
): Promise<Merged> {
  const { workspaceId } = actor;
  const otherIds = [...new Set(merge.otherIds)].filter((id) => id !== merge.keepId);
  await holdRemovals(tx, workspaceId);
  const contacts = await selectContacts(tx, workspaceId, [merge.keepId, ...otherIds]);
  const [kept, ...others] = contacts;
  if (!kept || kept.id !== merge.keepId || others.length !== otherIds.length) throw gone();
  if (others.length === 0) throw new AppError('invalid_input', 'Name at least two contacts to merge.');
  const { before, after } = await takeFields(tx, workspaceId, kept, others, merge.fields ?? {});
  const removal = await bin.moveToBin(tx, workspaceId, hasId(otherIds), {
    kind: 'merge',
    removedBy: actor.email,
    why: 'The same person as a contact that was kept',
  });
  if (!removal) throw gone();
  const mergeId = await insertMerge(tx, workspaceId, {
    keptId: kept.id,
    removalId: removal.id,
    before,
    mergedBy: actor.email,
  });
  await bin.merged(tx, workspaceId, { mergeId, keptId: kept.id, otherIds });
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contacts.merged',
    subject: `contact:${kept.id}`,
    details: {
      mergeId,
      kept: writtenAddress(kept),
      merged: others.map(writtenAddress),
      removalId: removal.id,
      before,
      after,
    },
  });
  return { mergeId, removed: removal.contacts, contacts };
}

/**
 * Gives the kept contact what the merge takes from the others. Decided on the fields as they are
 * once nobody else can change them.
 */
async function takeFields(
  tx: TenantTx,
  workspaceId: number,
  kept: StoredContact,
  others: readonly StoredContact[],
  choice: FieldChoice,
): Promise<{ before: MergeableFields; after: MergeableFields }> {
  const [changed] = await changeMany(tx, workspaceId, [kept.id], (now) => {
    const after = mergedFields(now, others, choice);
    return { ...after, attributes: after.attributes ?? {} };
  });
  if (!changed) throw gone();
  const { id: _, changedAt: __, ...before } = changed.before;
  return { before, after: changed.after };
}

/**
 * Restores what a merge removed, and gives the kept contact its own fields back. Answers the ids
 * that came back.
 */
export async function unmerge(bin: Bin, tx: TenantTx, actor: Actor, mergeId: number): Promise<number[]> {
  const { workspaceId } = actor;
  await holdRemovals(tx, workspaceId);
  const merge = await lockMerge(tx, workspaceId, mergeId);
  if (!merge) throw new AppError('not_found', 'There is no such merge.');
  if (merge.undoneAt) throw new AppError('conflict', 'This merge was undone already.');
  const { binDays } = (await readSettings(tx, workspaceId)).retention;
  const removal = await lockRemoval(tx, workspaceId, merge.removalId, binDays);
  if (removal?.isExpired) {
    throw new AppError('gone', `This merge is more than ${binDays} days old and cannot be undone any more.`);
  }
  const ids = await selectBinnedIds(tx, workspaceId, merge.removalId);
  const back = removal && !removal.restoredAt ? await bin.takeFromBin(tx, workspaceId, merge.removalId) : [];
  await bin.unmerged(tx, workspaceId, { mergeId, keptId: merge.keptId });
  const restored = back.length;
  const { attributes, ...before } = merge.before;
  await changeMany(tx, workspaceId, [merge.keptId], ({ changedAt: _, ...now }) => ({
    ...now,
    ...before,
    attributes: attributes ?? {},
  }));
  await closeMerge(tx, workspaceId, mergeId);
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contacts.unmerged',
    subject: `contact:${merge.keptId}`,
    details: { mergeId, restored },
  });
  return [merge.keptId, ...ids];
}
