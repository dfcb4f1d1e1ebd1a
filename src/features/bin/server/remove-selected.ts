import { z } from 'zod';
import type { ContactSelection } from '#features/audience/contract.ts';
import { withTree } from '#features/audience/rules/flat-filter.ts';
import type { Tree } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { TaskContext } from '#features/tasks/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller } from '#platform/server/http.ts';
import { moveToBin } from './move-to-bin.ts';
import { type RemovalsContext, removePieceByPiece } from './removal-tasks.ts';
import { fewContacts, type RemovalResult, type RemovalWords, recordDone } from './removal-words.ts';

export const deleteWords: RemovalWords = {
  action: 'Bulk Delete',
  icon: 'trash',
  iconColor: 'error',
  audit: 'contacts.removed',
  done: ({ removed }) => `${contactsInWords(removed)} moved to the bin`,
};

export const removeInput = ({ stored, asOf }: Audience) =>
  z.preprocess(withTree, z.strictObject({ audience: stored, count: z.number(), asOf: asOf.optional() }));
export type RemoveInput = z.output<ReturnType<typeof removeInput>>;

/** Removes the selected contacts. Answers the task if that takes long. */
export async function removeSelected(
  { db, tasks, companions, audience }: RemovalsContext,
  workspaceId: number,
  caller: Caller,
  selection: ContactSelection,
): Promise<{ removed: number; removalId: number | null } | Task> {
  const tree = audience.of(selection);
  const started = await db.asTenant(workspaceId, async (tx) => {
    const count = await audience.count(tx, workspaceId, tree);
    if (count > fewContacts) return { count, asOf: await audience.now(tx, workspaceId, tree) };
    const chosen = await audience.condition(tx, workspaceId, tree);
    const record = { kind: 'delete', removedBy: caller.email, why: whyOf(audience, tree) } as const;
    const removal = await moveToBin(tx, workspaceId, chosen, record, companions);
    const result = { removed: removal?.contacts ?? 0, removalId: removal?.id ?? null };
    if (removal) await recordDone(tx, workspaceId, caller.email, wordsOf(audience, tree), result);
    return result;
  });
  if (!('count' in started)) return started;
  return tasks.start(workspaceId, 'contacts.remove', { audience: tree, ...started }, caller);
}

export const wordsOf = (audience: Audience, tree: Tree): RemovalWords => ({
  ...deleteWords,
  auditDetails: { ...audience.record(tree) },
});

/** Longer filters are cut, as nobody reads on. */
const longestWhy = 500;

/** Why contacts are deleted that somebody named, or that a filter meant. */
export function whyOf(audience: Audience, tree: Tree): string {
  if ('named' in audience.record(tree)) return 'Chosen in the list and deleted';
  const meant = `Deleted together: ${audience.words(tree)}`;
  return meant.length <= longestWhy ? meant : `${meant.slice(0, longestWhy - 1)}…`;
}

/** The same as a task. */
export async function runRemove(
  { db, companions, audience }: RemovalsContext,
  context: TaskContext<RemoveInput>,
): Promise<RemovalResult> {
  const { workspaceId } = context;
  const { audience: tree, count, asOf } = context.input;
  const chosenNow = async (tx: TenantTx) => ({
    chosen: await audience.conditionForWalk(tx, workspaceId, tree, asOf),
  });
  return removePieceByPiece({ db, companions }, context, {
    removal: { kind: 'delete', removedBy: context.actor, why: whyOf(audience, tree) },
    next: chosenNow,
    still: chosenNow,
    total: count,
    words: wordsOf(audience, tree),
  });
}
