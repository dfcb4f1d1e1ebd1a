import { isDeepStrictEqual } from 'node:util';
import { hasId } from '#features/audience/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { type Bin, holdRemovals, lockRemoval, type Removal } from '#features/bin/server/index.ts';
import { type StoredContact, writtenAddress } from '#features/contacts/rules.ts';
import { changeMany, selectContacts } from '#features/contacts/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { surelyWritten, withoutMerge } from '../rules/without-merge.ts';
import { type FieldChoice, type MergeableFields, mergedFields } from '../rules.ts';
import {
  closeMerge,
  insertMerge,
  lockLaterMerges,
  lockMerge,
  type MergedContact,
  type MergeRow,
  rewriteMerges,
  type StoredMerge,
  selectMerged,
  selectPassedOn,
} from './merge-queries.ts';

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
    after,
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
 * Restores what a merge removed, and takes back what it wrote into the kept contact, as far as that
 * still stands there. Answers the ids that came back.
 */
export async function unmerge(bin: Bin, tx: TenantTx, actor: Actor, mergeId: number): Promise<number[]> {
  const { workspaceId } = actor;
  await holdRemovals(tx, workspaceId);
  const merge = await lockMerge(tx, workspaceId, mergeId);
  if (!merge) throw new AppError('not_found', 'There is no such merge.');
  if (merge.undoneAt) throw new AppError('conflict', 'This merge was undone already.');
  const { isEmpty } = await needUndoable(tx, workspaceId, merge);
  await takeFieldsBack(bin, tx, workspaceId, merge);
  const back = isEmpty ? [] : await bin.takeFromBin(tx, workspaceId, merge.removalId);
  await bin.unmerged(tx, workspaceId, { mergeId, keptId: merge.keptId });
  const restored = back.length;
  await closeMerge(tx, workspaceId, mergeId);
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'contacts.unmerged',
    subject: `contact:${merge.keptId}`,
    details: { mergeId, restored },
  });
  return [merge.keptId, ...back];
}

/** The same is said of past decisions: `isExpired` and `undoFirst` of `selectDecisions`. */
async function needUndoable(tx: TenantTx, workspaceId: number, merge: MergeRow): Promise<Removal> {
  const { removalId } = merge;
  const { binDays } = (await readSettings(tx, workspaceId)).retention;
  const removal = await lockRemoval(tx, workspaceId, removalId, binDays);
  if (removal?.isExpired) {
    throw new AppError('gone', `This merge is more than ${binDays} days old and cannot be undone any more.`);
  }
  // The bin may have been emptied while contacts were kept for a shorter time. The kept contact is
  // then the only one that has their fields.
  if (!removal || removal.isLost) {
    throw new AppError('gone', 'What this merge removed has left the bin, so it cannot be undone any more.');
  }
  if (removal.isRestoring) {
    throw new AppError('conflict', 'These contacts are being restored. Try again when that has ended.');
  }
  // The other contact would keep what it has from here: fields, lists, even a consent.
  const passedOn = await selectPassedOn(tx, workspaceId, merge);
  if (passedOn !== undefined) {
    throw new AppError(
      'conflict',
      `Undo the later merge of ${passedOn} first: another contact has what it got by this one.`,
    );
  }
  return removal;
}

/**
 * Takes what a merge wrote out of the kept contact and out of what later merges would put back. The
 * kept contact may be in the bin itself, from where it may come back.
 */
async function takeFieldsBack(bin: Bin, tx: TenantTx, workspaceId: number, merge: MergeRow): Promise<void> {
  const { keptId, before } = merge;
  const later: (StoredMerge & { others: MergedContact[] })[] = [];
  for (const one of await lockLaterMerges(tx, workspaceId, merge))
    later.push({ ...one, others: await selectMerged(tx, workspaceId, one) });
  const others = merge.after ? [] : await selectMerged(tx, workspaceId, merge);
  const met: { later?: typeof later } = {};
  const takenBack = (now: MergeableFields) => {
    const after = merge.after ?? surelyWritten(before, later[0]?.before ?? now, others);
    const back = withoutMerge({ before, after }, later, now);
    met.later = back.later;
    return isDeepStrictEqual(back.now, now) ? null : { ...back.now, attributes: back.now.attributes ?? {} };
  };
  await changeMany(tx, workspaceId, [keptId], ({ id: _, changedAt: __, ...now }) => takenBack(now));
  // A removal that was open at the merge may have taken the kept contact since, as later ones may.
  const since = merge.oldestOpen ?? merge.removalId;
  if (!met.later) await bin.changeInBin(tx, workspaceId, { id: keptId, since }, takenBack);
  await rewriteMerges(tx, workspaceId, met.later ?? []);
}
