import { z } from 'zod';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { Topics } from '#features/tracking/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import { formatCount } from '#platform/shared/words.ts';

/*
 * Gives contacts the addresses that were probably meant, and undoes that. A suppressed contact
 * stays suppressed. A contact whose new address is on a suppression list becomes suppressed.
 * Undoing a correction leaves the list as it is, because an entry may have been requested again
 * meanwhile.
 *
 * A few thousand are done within the call. More become a task: one correction, filled in pieces of
 * a transaction each. It can be undone as a whole, even if it was interrupted.
 */
export interface CorrectionsContext {
  db: Database;
  tasks: Tasks;
  topics: () => Topics | undefined;
}

/** What one piece of the work needs. */
export type CorrectionParts = Omit<CorrectionsContext, 'tasks'>;

/**
 * At most this many addresses are changed in one transaction. The suppression list cannot change
 * while it runs.
 */
export const pieceSize = 5000;

export const kinds = { accept: 'verification.correct', undo: 'verification.undo-correction' } as const;

export const addresses = (count: number) => formatCount(count, 'address', 'addresses');

export type Corrected = {
  corrected: number;
  needMerge: number;
  suppressed: number;
  correctionId: number | null;
};

/** "gmial.com to gmail.com", or how many there are. */
export const patternsInWords = (patterns: readonly { from: string; to: string }[]): string => {
  const [first, ...others] = patterns;
  return first && others.length === 0 ? `${first.from} to ${first.to}` : `${patterns.length} patterns`;
};

export type TakenBack = { restored: number; leftOut: number };

const pattern = z.strictObject({ from: z.string(), to: z.string() });

/** A single pattern is stored as it always was, so that an older process can do it. */
export const acceptInput = z.union([
  z.strictObject({ pattern, contacts: z.number() }),
  z.strictObject({ patterns: z.array(pattern).min(1), contacts: z.number() }),
]);

export const patternsOf = (
  which: { pattern: z.output<typeof pattern> } | { patterns: z.output<typeof pattern>[] },
) => ('pattern' in which ? [which.pattern] : which.patterns);

export type AcceptInput = z.output<typeof acceptInput>;

export const undoInput = z.strictObject({ correctionId: z.number(), contacts: z.number() });

export type UndoInput = z.output<typeof undoInput>;
