import { holdRemovals } from '#features/bin/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import { undoDays } from '#features/tasks/rules/undoable.ts';
import type { Undoing } from '#features/tasks/server/index.ts';
import { keepsMoreThan, lockChange, markUndone } from './change-queries.ts';
import { fewContacts } from './context.ts';
import { undoPiece } from './pieces.ts';
import { changesLink, tellUndone } from './tell.ts';

/**
 * Gives contacts their old values back. What was kept of a contact is forgotten as it is put back.
 */
export const fieldsUndo: Undoing = {
  kind: 'contacts.undo_set_fields',
  title: (count) => `Put the old values of ${contactsInWords(count)} back`,
  summary: (undone) => `${contactsInWords(undone)} with the old values again.`,
  link: changesLink,
  tooOld: `This was changed more than ${undoDays} days ago, and the old values are not kept any more.`,
  few: fewContacts,
  isLong: (tx, workspaceId, changeId) => keepsMoreThan(tx, workspaceId, changeId, 10 * fewContacts),
  async lock(tx, workspaceId, changeId) {
    // First, because the undo of an earlier change holds them when it writes to this one.
    await holdRemovals(tx, workspaceId);
    return lockChange(tx, workspaceId, changeId);
  },
  mark: markUndone,
  whole: undoPiece,
  async piece(tx, workspaceId, changeId) {
    const step = await undoPiece(tx, workspaceId, changeId);
    return { ...step, isLast: step.looked === 0 };
  },
  // The others were changed again since. Nothing is kept of those that are gone.
  leftOf: (_, { looked, undone }) => looked - undone,
  tell: tellUndone,
};
