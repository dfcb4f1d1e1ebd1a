import { type DraftName, forgetDraft, freeName, keepDraft, keptDraft } from './kept-drafts.ts';

/** Where a draft is kept, and when it was written there. A null name: nowhere. */
export interface Place {
  name: DraftName | null;
  at: string;
}

/**
 * Writes what one page holds unsaved into this browser, now and then while somebody types, and at
 * once when the page goes. Other windows of the same person write there too: they may take over or
 * discard what this page has written, and it takes no text of theirs away.
 */
export class DraftWriter {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #write: (() => boolean) | undefined;
  /** What it is of, and where this page keeps it. */
  #of: DraftName | undefined;
  #place: Place = nowhere;
  /** Whether all that was planned has been written. */
  #isWritten = false;

  plan(of: DraftName, contentNow: () => unknown, onWritten: (isKept: boolean) => void): void {
    // What is new has another name once it is created.
    if (this.#of !== of) this.forget();
    this.#of = of;
    this.#write = () => {
      const isKept = this.#keep(of, contentNow());
      onWritten(isKept);
      return isKept;
    };
    this.#timer ??= setTimeout(() => this.hurry(), every);
  }

  /**
   * Writes what is planned, or what was written and is no longer there. Answers whether this
   * browser keeps it as it stands.
   */
  hurry(): boolean {
    const isPlanned = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#write) return false;
    if (isPlanned || !this.#isWritten || !this.#isThere()) this.#isWritten = this.#write();
    return this.#isWritten;
  }

  /**
   * Writes in another place from here. Answers the one in which it has written until now, with the
   * present time where that is none.
   */
  goOnIn(of: DraftName, { name, at }: Place): Place {
    const before = this.#place;
    this.#of = of;
    this.#place = { name, at };
    return before.name === null ? { ...before, at: new Date().toISOString() } : before;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write = undefined;
    this.#isWritten = false;
    if (this.#place.name !== null && this.#isThere()) forgetDraft(this.#place.name);
    this.#place = nowhere;
  }

  /** Whether what this page wrote last is there still. */
  #isThere(): boolean {
    const { name, at } = this.#place;
    return name !== null && keptDraft(name)?.at === at;
  }

  #keep(of: DraftName, content: unknown): boolean {
    let { name } = this.#place;
    const isTaken = name !== null && keptDraft(name) !== null && !this.#isThere();
    if (name === null || isTaken) name = freeName(of);
    if (name === null) return false;
    const now = new Date();
    if (!keepDraft(name, content, now)) return false;
    this.#place = { name, at: now.toISOString() };
    return true;
  }
}

const nowhere: Place = { name: null, at: '' };

/** Milliseconds. A tab that dies takes no more than the words of this time. */
const every = 800;
