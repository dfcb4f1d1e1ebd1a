/** One correction of a contact's address. */
export interface AddressChange {
  id: number;
  /** Identity keys. */
  from: string;
  to: string;
  at: Date;
  /** When the correction as a whole was undone. */
  undoneAt: Date | null;
}

/**
 * Which corrections of a contact were undone. An undo skips contacts that were changed since, or
 * whose old address somebody else has by then. Only the address shows that, so this follows the
 * changes back from the contact's current address.
 */
export function takenBack(changes: readonly AddressChange[], now: string): Set<number> {
  const moves = changes
    .flatMap((change) => [
      { change, at: change.at, isUndo: false },
      ...(change.undoneAt ? [{ change, at: change.undoneAt, isUndo: true }] : []),
    ])
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  const found = new Set<number>();
  let address = now;
  for (const { change, isUndo } of moves) {
    if (!isUndo) address = change.from;
    else if (address === change.from) {
      found.add(change.id);
      address = change.to;
    }
  }
  return found;
}
