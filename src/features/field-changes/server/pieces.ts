import { holdRemovals } from '#features/bin/server/index.ts';
import { takenBack } from '#features/contacts/rules/contact-change.ts';
import { changeMany } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { WhatChanges } from '../contract.ts';
import { fieldsAfter, fieldsBack } from '../rules.ts';
import { forgetKept, keepContacts, selectKept } from './change-queries.ts';

/*
 * One transaction's share of a change, or of its undo. Each takes the removals' lock first, as all
 * do that lock many contacts: two of them in different orders would deadlock.
 */

/** Contacts per transaction. Whoever removes or restores contacts waits at most for one piece. */
export const pieceSize = 5_000;

/** Changes these contacts and keeps what stood there. */
export async function setPiece(
  tx: TenantTx,
  workspaceId: number,
  { changeId, what, ids }: { changeId: number; what: WhatChanges; ids: readonly number[] },
): Promise<{ changed: number; leftOut: number }> {
  await holdRemovals(tx, workspaceId);
  let leftOut = 0;
  const changed = await changeMany(tx, workspaceId, ids, (before) => {
    const after = fieldsAfter(before, what);
    if (after === 'full') leftOut += 1;
    return after === null || after === 'full' ? null : { ...after, source: before.source, date: before.date };
  });
  const kept = changed.map(({ id, before, after }) => {
    const { expected, ...back } = takenBack(before, after);
    return { contactId: id, before: back, after: expected, changedBefore: before.changedAt };
  });
  if (kept.length > 0) await keepContacts(tx, workspaceId, changeId, kept);
  return { changed: changed.length, leftOut };
}

/**
 * Gives the first contacts of a change their old values back, and forgets what was kept of them.
 * Answers how many were looked at: none when the change keeps no more.
 */
export async function undoPiece(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
): Promise<{ looked: number; undone: number }> {
  await holdRemovals(tx, workspaceId);
  const kept = await selectKept(tx, workspaceId, changeId, pieceSize);
  const byId = new Map(kept.map((one) => [one.contactId, one]));
  const undone = await changeMany(tx, workspaceId, [...byId.keys()], (now) => {
    const one = byId.get(now.id);
    const back = one && fieldsBack(now, one);
    if (!one || !back) return null;
    // Where nothing else happened since, the contact is as if it had never been changed.
    const isUntouched = back.isWhole && now.changedAt === one.changedAt;
    const { source, date } = now;
    return { ...back.fields, source, date, ...(isUntouched ? { changedAt: one.changedBefore } : {}) };
  });
  if (kept.length > 0) await forgetKept(tx, workspaceId, changeId, [...byId.keys()], undone.length);
  return { looked: kept.length, undone: undone.length };
}
