import { holdRemovals } from '#features/bin/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import { undoDays } from '#features/tasks/rules/undoable.ts';
import type { Undoing } from '#features/tasks/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { fewContacts, pieceSize } from '../context.ts';
import { holdBases } from '../count-queries.ts';
import { lockChange, markUndone } from './change-queries.ts';
import { takeBackPiece, takeOutOfHistory } from './piece-queries.ts';
import { changesLink, tellUndone } from './tell.ts';

/** Takes a change back within this transaction, whole. For changes of few contacts. */
export async function takeBackWhole(tx: TenantTx, workspaceId: number, changeId: number): Promise<number> {
  await holdBases(tx, workspaceId);
  let undone = 0;
  for (let some = pieceSize; some === pieceSize; undone += some)
    some = await takeBackPiece(tx, workspaceId, [changeId], pieceSize);
  while ((await takeOutOfHistory(tx, workspaceId, [changeId], pieceSize)) === pieceSize);
  return undone;
}

/** Takes back what was said of many contacts. */
export const basisUndo: Undoing = {
  kind: 'basis.undo',
  title: (count) => `Put the earlier marketing basis of ${contactsInWords(count)} back`,
  summary: (undone) => `${contactsInWords(undone)} with the marketing basis they had before.`,
  link: changesLink,
  tooOld: `This was said more than ${undoDays} days ago and cannot be undone any more.`,
  few: fewContacts,
  async lock(tx, workspaceId, changeId) {
    await holdRemovals(tx, workspaceId);
    return lockChange(tx, workspaceId, changeId);
  },
  mark: markUndone,
  async whole(tx, workspaceId, changeId) {
    const undone = await takeBackWhole(tx, workspaceId, changeId);
    return { looked: undone, undone };
  },
  async piece(tx, workspaceId, changeId) {
    await holdRemovals(tx, workspaceId);
    await holdBases(tx, workspaceId);
    const undone = await takeBackPiece(tx, workspaceId, [changeId], pieceSize);
    const isLast =
      undone === 0 && (await takeOutOfHistory(tx, workspaceId, [changeId], pieceSize)) < pieceSize;
    return { looked: undone, undone, isLast };
  },
  // Of the others something else was said since, or they are gone.
  leftOf: (count, { undone }) => count - undone,
  tell: tellUndone,
};
