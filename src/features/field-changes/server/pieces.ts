import { holdRemovals } from '#features/bin/server/index.ts';
import { type ContactChange, takenBack } from '#features/contacts/rules/contact-change.ts';
import { changeMany } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { WhatChanges } from '../contract.ts';
import { joined, setBy, takenOut } from '../rules/later-changes.ts';
import { alreadySet, fieldsAfter, fieldsBack, fieldsOfChange } from '../rules.ts';
import {
  type ContactLine,
  forgetKept,
  type KeptContact,
  keepContacts,
  rewriteLines,
  selectKept,
  selectLines,
} from './change-queries.ts';

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
  const had = new Map<number, Had>();
  const changed = await changeMany(tx, workspaceId, ids, (before) => {
    const after = fieldsAfter(before, what);
    if (after === 'full') leftOut += 1;
    else {
      const set = alreadySet(before, after ?? before, what);
      if (fieldsOfChange(set).length > 0) had.set(before.id, { set, changedBefore: before.changedAt });
    }
    return after === null || after === 'full' ? null : { ...after, source: before.source, date: before.date };
  });
  const contacts = new Map(
    (await keptOfHad(tx, workspaceId, had)).map((one): [number, KeptContact] => [one.contactId, one]),
  );
  for (const { id, before, after } of changed) {
    const { expected, ...back } = takenBack(before, after);
    const also = contacts.get(id)?.after;
    const kept = { before: joined([back, also]), after: joined([expected, also]) };
    contacts.set(id, { contactId: id, ...kept, changedBefore: before.changedAt });
  }
  if (contacts.size > 0) {
    const kept = { contacts: [...contacts.values()], changed: changed.length };
    await keepContacts(tx, workspaceId, changeId, kept);
  }
  return { changed: changed.length, leftOut };
}

interface Had {
  set: ContactChange;
  changedBefore: string | null;
}

/**
 * What is kept of contacts that had a value already: only what an earlier change has set, whose
 * undo would otherwise take it away.
 */
async function keptOfHad(
  tx: TenantTx,
  workspaceId: number,
  had: ReadonlyMap<number, Had>,
): Promise<KeptContact[]> {
  if (had.size === 0) return [];
  const lines = Map.groupBy(await selectLines(tx, workspaceId, [...had.keys()]), lineContact);
  return [...lines].flatMap(([contactId, earlier]) => {
    const { set = {}, changedBefore = null } = had.get(contactId) ?? {};
    const kept = setBy(set, earlier);
    return fieldsOfChange(kept).length > 0 ? [{ contactId, before: kept, after: kept, changedBefore }] : [];
  });
}

const lineContact = ({ contactId }: ContactLine): number => contactId;

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
  const found = await selectKept(tx, workspaceId, changeId, pieceSize + 1);
  const kept = found.slice(0, pieceSize);
  const byId = new Map((await handOn(tx, workspaceId, changeId, kept)).map((one) => [one.contactId, one]));
  const undone = await changeMany(tx, workspaceId, [...byId.keys()], (now) => {
    const one = byId.get(now.id);
    const back = one && fieldsBack(now, one);
    if (!one || !back) return null;
    // Where nothing else happened since, the contact is as if it had never been changed.
    const isUntouched = back.isWhole && one.isAll && now.changedAt === one.changedAt;
    const { source, date } = now;
    return { ...back.fields, source, date, ...(isUntouched ? { changedAt: one.changedBefore } : {}) };
  });
  const upTo = found.length > kept.length ? (kept.at(-1)?.contactId ?? null) : null;
  await forgetKept(tx, workspaceId, changeId, { upTo, undone: undone.length });
  return { looked: kept.length, undone: undone.length };
}

/**
 * Hands what was kept of contacts to the later changes that found it, of contacts in the bin as
 * well. Answers what of each is left to put back.
 */
async function handOn(
  tx: TenantTx,
  workspaceId: number,
  changeId: number,
  kept: readonly ContactLine[],
): Promise<(ContactLine & { isAll: boolean })[]> {
  if (kept.length === 0) return [];
  const lines = Map.groupBy(await selectLines(tx, workspaceId, kept.map(lineContact), changeId), lineContact);
  const taken = kept.map((one) => {
    const all = lines.get(one.contactId) ?? [];
    const later = all.slice(all.findIndex((line) => line.changeId === changeId) + 1);
    return { one, ...takenOut(one, later) };
  });
  const handed = taken.flatMap((one) => one.handed);
  if (handed.length > 0) await rewriteLines(tx, workspaceId, handed);
  return taken.map(({ one, own, isAll }) => ({ ...one, ...own, isAll }));
}
