/** Whose message waits. */
export interface SlotGuest {
  workspaceId: number;
  mailingId: number;
  /** Somebody waits for this message. It goes before all that nobody waits for. */
  goesFirst: boolean;
}

/**
 * Those who wait for their turn. Workspaces take turns, and within each its mailings: one that has
 * dozens waiting delays the next one's message by one.
 */
export class Line {
  readonly #first: Waiting = new Map();
  readonly #others: Waiting = new Map();

  wait({ workspaceId, mailingId, goesFirst }: SlotGuest): Promise<void> {
    const waiting = goesFirst ? this.#first : this.#others;
    const mailings = waiting.get(workspaceId) ?? new Map<number, (() => void)[]>();
    waiting.set(workspaceId, mailings);
    const own = mailings.get(mailingId) ?? [];
    mailings.set(mailingId, own);
    return new Promise((resolve) => void own.push(resolve));
  }

  /** Lets in whoever is next. False: nobody waits. */
  next(): boolean {
    const next = takeNext(this.#first) ?? takeNext(this.#others);
    next?.();
    return next !== undefined;
  }
}

/** By workspace, and within it by mailing. Whose turn is next comes first. */
type Waiting = Map<number, Map<number, (() => void)[]>>;

/** The workspace and the mailing whose turn it was go to the end. */
function takeNext(waiting: Waiting): (() => void) | undefined {
  for (const [workspaceId, mailings] of waiting)
    for (const [mailingId, own] of mailings) {
      const next = own.shift();
      mailings.delete(mailingId);
      if (own.length > 0) mailings.set(mailingId, own);
      waiting.delete(workspaceId);
      if (mailings.size > 0) waiting.set(workspaceId, mailings);
      return next;
    }
  return undefined;
}
