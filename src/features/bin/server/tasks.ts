import type { z } from 'zod';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { TaskDefinition } from '#features/tasks/server/index.ts';
import { cleanInPieces, cleanInput, cleanWords, closeBrokenClean } from './clean/clean-contacts.ts';
import { closeBroken, type RemovalsContext } from './removal-tasks.ts';
import { type RemovalResult, type RemovalWords, toResult } from './removal-words.ts';
import { deleteWords, type RemoveInput, removeInput, runRemove, wordsOf } from './remove-selected.ts';
import { restoreTask } from './restores.ts';

const outcome = (words: RemovalWords) => ({
  summary: (result: Record<string, unknown>) => `${words.done(result as unknown as RemovalResult)}.`,
  link: ({ removalId }: Record<string, unknown>) => (removalId ? `/bin?removal=${removalId}` : null),
});

/** This feature's long work. */
export function removalTasks(context: RemovalsContext): TaskDefinition[] {
  const remove: TaskDefinition<RemoveInput> = {
    kind: 'contacts.remove',
    input: removeInput(context.audience),
    title: ({ count }) => `Delete ${contactsInWords(count)}`,
    run: async (task) => toResult(await runRemove(context, task)),
    broken: async (task, { status }) =>
      toResult(await closeBroken(context.db, task, wordsOf(context.audience, task.input.audience), status)),
    ...outcome(deleteWords),
  };
  const clean: TaskDefinition<z.output<typeof cleanInput>> = {
    kind: 'contacts.clean',
    input: cleanInput,
    title: () => 'Clean the database',
    run: async (task) => ({ ...(await cleanInPieces(context, task, task.input.reasons)) }),
    broken: async (task, { status }) => ({ ...(await closeBrokenClean(context.db, task, status)) }),
    ...outcome(cleanWords),
  };
  return [remove, clean, restoreTask(context)];
}
