import { z } from 'zod';
import { type ContactSelection, contactSelection } from '#features/audience/contract.ts';
import { conditionForWalk, conditionOf, countSelected } from '#features/audience/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import type { Caller } from '#platform/server/http.ts';
import { moveToBin } from './move-to-bin.ts';
import { type RemovalParts, type RemovalsContext, removePieceByPiece } from './removal-tasks.ts';
import { fewContacts, type RemovalResult, type RemovalWords, recordDone } from './removal-words.ts';

export const deleteWords: RemovalWords = {
  action: 'Bulk Delete',
  icon: 'trash',
  iconColor: 'error',
  audit: 'contacts.removed',
  done: ({ removed }) => `${contactsInWords(removed)} moved to the bin`,
};

export const removeInput = z.strictObject({ selection: contactSelection, count: z.number() });
export type RemoveInput = z.output<typeof removeInput>;

/** Removes what is selected; answers the task where that takes long. */
export async function removeSelected(
  { db, tasks, verdicts }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
  selection: ContactSelection,
): Promise<{ removed: number; removalId: number | null } | Task> {
  const started = await db.asTenant(workspaceId, async (tx) => {
    const count = await countSelected(tx, workspaceId, selection);
    if (count > fewContacts) return count;
    const chosen = await conditionOf(tx, workspaceId, selection);
    const record = { kind: 'delete', removedBy: caller.email } as const;
    const removal = await moveToBin(tx, workspaceId, chosen, record, verdicts);
    const result = { removed: removal?.contacts ?? 0, removalId: removal?.id ?? null };
    if (removal) await recordDone(tx, workspaceId, caller.email, wordsOf(selection), result);
    return result;
  });
  if (typeof started !== 'number') return started;
  return tasks.start(workspaceId, 'contacts.remove', { selection, count: started }, caller);
}

export const wordsOf = (selection: ContactSelection): RemovalWords => ({
  ...deleteWords,
  auditDetails:
    'ids' in selection
      ? { named: selection.ids.length }
      : { filter: selection.filter as Record<string, unknown> },
});

/** The same as a task. */
export async function runRemove(
  { db, verdicts }: RemovalParts,
  context: TaskContext<RemoveInput>,
): Promise<RemovalResult> {
  const { workspaceId } = context;
  const { selection, count } = context.input;
  const chosen = await db.asTenant(workspaceId, (tx) => conditionForWalk(tx, workspaceId, selection));
  return removePieceByPiece({ db, verdicts }, context, {
    removal: { kind: 'delete', removedBy: context.actor },
    chosen: () => chosen,
    total: count,
    words: wordsOf(selection),
  });
}
