import { AppError } from '#platform/shared/errors.ts';

/** Seconds after which a caller that waited in vain should try again. */
const busySeconds = 2;

/** Who asks for a turn. Null where there is none: a sign-in has no workspace. */
export interface Guest {
  workspaceId: number | null;
  /** The person, or the API key. */
  person: string | null;
}

/**
 * What a caller runs into: their own turns, those of their workspace, all of them, or the end of
 * the line.
 */
export type Fullness = 'person' | 'workspace' | 'all' | 'line';

export interface QueueOptions {
  /** The most at work at once. */
  size: number;
  /** The most for one workspace. */
  each: number;
  /** The most for one person in a workspace. Absent: as many as the workspace. */
  eachPerson?: number;
  /** The most callers that one person may have in the line. Absent: any number. */
  line?: number;
  /** The error for a caller who gets no turn. */
  refusal?: (fullness: Fullness) => AppError;
}

export interface Patience {
  waitMs: number;
  /** Aborted when the caller has gone: it leaves the line at once. */
  gone?: AbortSignal | undefined;
}

/**
 * Lets at most `size` callers work at once, at most `each` for one workspace, and at most
 * `eachPerson` for one person. Waiting callers take turns by workspace, and within it by person, so
 * that whoever is busy delays only themselves. Callers without a workspace (a sign-in) are limited
 * by `size` alone.
 */
export class FairQueue {
  readonly #options: Required<QueueOptions>;
  readonly #atWork = new Map<string, number>();
  /** By workspace, and within it by person. Whose turn is next comes first. */
  readonly #waiting = new Map<number | null, Map<string | null, Waiting[]>>();
  #total = 0;

  constructor(options: QueueOptions) {
    this.#options = {
      eachPerson: options.each,
      line: Number.POSITIVE_INFINITY,
      refusal: tooBusy,
      ...options,
    };
  }

  get waiting(): number {
    let sum = 0;
    for (const people of this.#waiting.values()) for (const entries of people.values()) sum += entries.length;
    return sum;
  }

  /**
   * Waits for a turn and returns the function that gives it back.
   * @throws AppError the queue's refusal when no turn comes in time, or at once when the person has
   * too many callers in the line. Rejects with the reason of `gone` when the caller leaves.
   */
  async enter(guest: Guest, patience: Patience): Promise<() => void> {
    if (this.#fullness(guest) === null) this.#begin(guest);
    else await this.#wait(guest, patience);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end(guest);
    };
  }

  #fullness({ workspaceId, person }: Guest): Fullness | null {
    const { size, each, eachPerson } = this.#options;
    if (workspaceId !== null) {
      if (person !== null && this.#count(personKey(workspaceId, person)) >= eachPerson) return 'person';
      if (this.#count(workspaceKey(workspaceId)) >= each) return 'workspace';
    }
    return this.#total >= size ? 'all' : null;
  }

  #count(key: string): number {
    return this.#atWork.get(key) ?? 0;
  }

  #begin(guest: Guest): void {
    this.#total += 1;
    for (const key of keysOf(guest)) this.#atWork.set(key, this.#count(key) + 1);
  }

  #end(guest: Guest): void {
    this.#total -= 1;
    for (const key of keysOf(guest)) {
      const left = this.#count(key) - 1;
      if (left > 0) this.#atWork.set(key, left);
      else this.#atWork.delete(key);
    }
    this.#next();
  }

  #wait(guest: Guest, { waitMs, gone }: Patience): Promise<void> {
    const inLine = this.#waiting.get(guest.workspaceId)?.get(guest.person)?.length ?? 0;
    if (inLine >= this.#options.line) throw this.#options.refusal('line');
    if (gone?.aborted) throw gone.reason;
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        settle();
        this.#leave(guest, entry);
        reject(reason);
      };
      const left = () => leave(gone?.reason);
      const late = setTimeout(() => leave(this.#options.refusal(this.#fullness(guest) ?? 'all')), waitMs);
      const settle = () => {
        clearTimeout(late);
        gone?.removeEventListener('abort', left);
      };
      gone?.addEventListener('abort', left, { once: true });
      const entry: Waiting = {
        begin: () => {
          settle();
          resolve();
        },
      };
      this.#join(guest, entry);
    });
  }

  #join({ workspaceId, person }: Guest, entry: Waiting): void {
    const people = this.#waiting.get(workspaceId) ?? new Map<string | null, Waiting[]>();
    this.#waiting.set(workspaceId, people);
    people.set(person, [...(people.get(person) ?? []), entry]);
  }

  #leave({ workspaceId, person }: Guest, entry: Waiting): void {
    const people = this.#waiting.get(workspaceId);
    const left = (people?.get(person) ?? []).filter((one) => one !== entry);
    if (left.length > 0) people?.set(person, left);
    else people?.delete(person);
    if (people?.size === 0) this.#waiting.delete(workspaceId);
  }

  /** Passes the turn on. Whoever gets it goes to the end of the line, and so does the workspace. */
  #next(): void {
    for (const [workspaceId, people] of this.#waiting) {
      for (const [person, [entry, ...others]] of people) {
        const guest = { workspaceId, person };
        if (!entry || this.#fullness(guest) !== null) continue;
        people.delete(person);
        if (others.length > 0) people.set(person, others);
        this.#waiting.delete(workspaceId);
        if (people.size > 0) this.#waiting.set(workspaceId, people);
        this.#begin(guest);
        entry.begin();
        return;
      }
    }
  }
}

interface Waiting {
  begin: () => void;
}

const workspaceKey = (workspaceId: number) => String(workspaceId);
const personKey = (workspaceId: number, person: string) => `${workspaceId} ${person}`;

const keysOf = ({ workspaceId, person }: Guest): string[] =>
  workspaceId === null
    ? []
    : [workspaceKey(workspaceId), ...(person === null ? [] : [personKey(workspaceId, person)])];

const tooBusy = () =>
  new AppError('unavailable', 'Too much is going on at once. Nothing was changed; try again in a moment.', {
    retryAfter: busySeconds,
  });
