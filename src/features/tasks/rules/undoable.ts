/*
 * Changes of many contacts at once that can be undone, whatever they change.
 */

/** For so long they can be undone. */
export const undoDays = 30;

/**
 * For so long what an undo takes is kept: a day longer, as one that began in time may be under way.
 */
export const keptForUndoDays = undoDays + 1;

export const undoStates = ['changing', 'done', 'undone', 'expired'] as const;
export type UndoState = (typeof undoStates)[number];

export interface Undoable {
  isOpen: boolean;
  createdAt: Date;
  undoneAt: Date | null;
}

/** When a change that was made then can be undone for the last time. */
export const undoneUntil = (createdAt: Date): Date => new Date(createdAt.getTime() + undoDays * 86_400_000);

export function undoStateOf({ isOpen, undoneAt, createdAt }: Undoable, now: Date): UndoState {
  if (isOpen) return 'changing';
  if (undoneAt) return 'undone';
  return undoneUntil(createdAt) < now ? 'expired' : 'done';
}
