import type { TaskDefinition } from '#platform/server/task-definition.ts';
import { formatCount } from '#platform/shared/words.ts';
import { breakOffAccept, runAccept } from './accept-corrections.ts';
import {
  type AcceptInput,
  acceptInput,
  addresses,
  type Corrected,
  type CorrectionParts,
  kinds,
  patternsInWords,
  patternsOf,
  type UndoInput,
  undoInput,
} from './correction-work.ts';
import { breakOffUndo, runUndo } from './undo-correction.ts';
/** Long work on corrections. */
export function correctionTasks(parts: CorrectionParts): TaskDefinition[] {
  const { db } = parts;
  const accept: TaskDefinition<AcceptInput> = {
    kind: kinds.accept,
    input: acceptInput,
    title: (input) => `Correct ${addresses(input.contacts)}: ${patternsInWords(patternsOf(input))}`,
    run: (context) => runAccept(parts, context),
    broken: (context) => breakOffAccept(db, context),
    summary: (result) => {
      const { corrected, needMerge, suppressed } = result as Corrected;
      const merge =
        needMerge > 0
          ? ` ${formatCount(needMerge, 'has', 'have')} an address that exists already: merge them.`
          : '';
      const listed =
        suppressed > 0 ? ` ${formatCount(suppressed, 'of them is', 'of them are')} suppressed.` : '';
      return `${addresses(corrected)} corrected.${listed}${merge}`;
    },
    link: () => '/review',
  };
  const undo: TaskDefinition<UndoInput> = {
    kind: kinds.undo,
    input: undoInput,
    title: ({ contacts }) => `Undo the correction of ${addresses(contacts)}`,
    run: (context) => runUndo(parts, context),
    broken: (context) => breakOffUndo(db, context),
    summary: ({ restored }) =>
      restored === 1 ? '1 address is as before.' : `${addresses(Number(restored ?? 0))} are as before.`,
    link: () => '/review',
  };
  return [accept, undo];
}
