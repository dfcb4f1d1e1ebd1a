import { z } from 'zod';
import type { Tasks } from '#features/tasks/server/index.ts';
import { type Database, sqlState } from '#platform/server/database.ts';
import { LockBusy } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
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
}

/**
 * At most this many addresses are changed in one transaction. The suppression list cannot change
 * while it runs.
 */
export const pieceSize = 5000;

/**
 * How often a piece is tried when somebody else is just adding one of its addresses. Each try waits
 * up to 10 s.
 */
const attempts = 6;

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

/** An address that somebody is adding right now is not a fault of the product. */
const isBeingAdded = (error: unknown): boolean => error instanceof LockBusy || sqlState(error) === '23505'; // unique_violation

export function explain(error: unknown): never {
  if (error instanceof LockBusy || !isBeingAdded(error)) throw error;
  throw new AppError('conflict', 'One of these addresses is being added at this moment. Try again.', {
    cause: error,
  });
}

/** The same for a piece of a task, which has time to try again. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1; left > 0; left--) {
    try {
      return await work();
    } catch (error) {
      if (!isBeingAdded(error)) throw error;
    }
  }
  return work().catch(explain);
}
