import { z } from 'zod';
import type { Tasks } from '#features/tasks/server/index.ts';
import { type Database, sqlState } from '#platform/server/database.ts';
import { LockBusy } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount } from '#platform/shared/words.ts';
/*
 * Giving contacts the addresses that were probably meant, and taking that back. Whoever was
 * suppressed stays suppressed, and who a suppression list has under the new address becomes so;
 * taking a correction back leaves the list as it is, for an entry may have been asked for again
 * meanwhile.
 *
 * A few thousand are done within the call. More are a task: one correction, filled in pieces of a
 * transaction each, which can be taken back as a whole, also when it was broken off.
 */
export interface CorrectionsContext {
  db: Database;
  tasks: Tasks;
}

/**
 * Up to so many addresses are changed in one transaction. The suppression list cannot change while
 * it runs.
 */
export const pieceSize = 5000;

/**
 * How often a piece is tried when somebody else is just adding one of its addresses; each time
 * waits up to 10 s.
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

export type TakenBack = { restored: number; leftOut: number };

export const acceptInput = z.strictObject({
  pattern: z.strictObject({ from: z.string(), to: z.string() }),
  contacts: z.number(),
});

export type AcceptInput = z.output<typeof acceptInput>;

export const undoInput = z.strictObject({ correctionId: z.number(), contacts: z.number() });

export type UndoInput = z.output<typeof undoInput>;

/** An address that somebody adds at this very moment is no fault of the product's. */
const isBeingAdded = (error: unknown): boolean => error instanceof LockBusy || sqlState(error) === '23505'; // unique_violation

export function explain(error: unknown): never {
  if (error instanceof LockBusy || !isBeingAdded(error)) throw error;
  throw new AppError('conflict', 'One of these addresses is being added at this moment. Try again.', {
    cause: error,
  });
}

/** The same for a piece of a task, which has the time to try again. */
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
