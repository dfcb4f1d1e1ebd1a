import { ApiError, words } from './api.ts';

/** Milliseconds after the last change, and after the first one where changes do not end. */
export const pause = 2_500;
export const longestWait = 20_000;
/** Between tries, each twice as long as the one before. */
const firstRetry = 4_000;
const longestRetry = 60_000;

/**
 * - `auto`: nobody asked for it.
 * - `needed`: for something that somebody does next. They are told why it cannot be saved.
 * - `asked`: by the button. It is sent even if nothing has changed, and it makes what is new.
 */
export type SaveReason = 'auto' | 'needed' | 'asked';

export interface SaverState<Draft, Stored> {
  draft: Draft;
  /** As it was stored last, as far as this page knows. Null until it is created. */
  stored: Stored | null;
  /** What is written may differ from what is stored. */
  isChanged: boolean;
  /** `failing`: no answer, or the server's own failure. It is tried again. */
  phase: 'resting' | 'saving' | 'failing';
  savedAt: Date | null;
  /** Why it cannot be stored as it is, with the server's code if it said so. */
  refusal: { words: string; isTold: boolean; code?: string | undefined } | null;
  /** Somebody has saved a newer version. Nothing is saved over it unless they say so. */
  isOvertaken: boolean;
}

/** What changes. A function is given what is written by then, for whoever has waited meanwhile. */
export type Patch<Draft> = Partial<Draft> | ((now: Draft) => Partial<Draft>);

/** What is sent. Where no answer comes, the same object is sent again. */
export interface Sending<Draft, Stored, Version> {
  draft: Draft;
  /** Null: make a new one. */
  stored: Stored | null;
  /** The one that is written on. Null: make a new one. */
  version: Version | null;
  /** What the page knew when this save was asked for. Null: nothing was created yet. */
  seen: Stored | null;
  isAutomatic: boolean;
}

export interface SaverOptions<Draft, Stored, Version> {
  stored: Stored | null;
  begin: Draft;
  mayWrite: boolean;
  draftOf: (stored: Stored) => Draft;
  /** Greater: newer. */
  versionOf: (stored: Stored) => Version;
  isSame: (one: Draft, other: Draft) => boolean;
  send: (sending: Sending<Draft, Stored, Version>) => Promise<Stored>;
  /** Reads what is stored now. */
  read: (stored: Stored) => Promise<Stored>;
  /** Why the server would refuse it, as far as that is known here. */
  problemOf: (draft: Draft, isNew: boolean) => string | null;
  /** Whether it is saved without anybody asking. Absent: always. */
  savesItself?: (stored: Stored) => boolean;
  /** A failure that nothing on the screen tells. */
  onFailed: (error: unknown, isNew: boolean) => void;
}

/**
 * What somebody writes, and its way to the server: a moment after each change, one save after the
 * other, tried again where no answer came, and never over what somebody else has saved.
 */
export class Saver<Draft extends object, Stored extends object, Version extends string | number> {
  #state: SaverState<Draft, Stored>;
  readonly #options: SaverOptions<Draft, Stored, Version>;
  #kept: Draft;
  /** The version that is written on. */
  #version: Version | null;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | null = null;
  #retry = firstRetry;
  #turn: Promise<unknown> = Promise.resolve();
  /** What was sent without an answer. It may have been stored. */
  #unsure: Sending<Draft, Stored, Version> | null = null;
  /** The same again would only be refused again. */
  #refused: Draft | null = null;
  /** Counts up when something else is gone on from. Answers to earlier saves no longer lead on. */
  #line = 0;
  #isStopped = false;

  constructor(options: SaverOptions<Draft, Stored, Version>) {
    const { stored, begin } = options;
    this.#options = options;
    this.#kept = begin;
    this.#version = stored && options.versionOf(stored);
    this.#state = {
      draft: begin,
      stored,
      isChanged: false,
      phase: 'resting',
      savedAt: null,
      refusal: null,
      isOvertaken: false,
    };
  }

  readonly state = (): SaverState<Draft, Stored> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly change = (patch: Patch<Draft>): void => {
    const { draft } = this.#state;
    this.#set({ draft: { ...draft, ...(typeof patch === 'function' ? patch(draft) : patch) } });
    if (!this.#state.isChanged) {
      this.#firstChange = null;
      this.#refused = null;
      this.#set({ refusal: null, ...(this.#state.phase === 'failing' ? { phase: 'resting' } : {}) });
    }
    this.#plan();
  };

  /**
   * Saves in its turn. Answers whether all that is written is stored now. `isOver`: over what
   * others have saved until then.
   */
  readonly save = (reason: SaveReason, isOver = false): Promise<boolean> => {
    clearTimeout(this.#timer);
    const seen = this.#state.stored;
    const turn = this.#turn.then(() => this.#saveAll(reason, seen, isOver));
    this.#turn = turn;
    return turn;
  };

  /** Goes on from what is stored. What was written here and not saved is gone. */
  readonly take = (stored: Stored): void => {
    clearTimeout(this.#timer);
    this.#begin();
    this.#stored(stored, this.#options.draftOf(stored));
    this.#set({ draft: this.#kept, savedAt: null });
  };

  /** Goes on from what was written earlier, on a version that may be older than the newest. */
  readonly resume = (draft: Draft, version: Version | null): void => {
    // What is new is made once, whatever is written meanwhile.
    if (this.#version !== null) {
      this.#begin();
      this.#version = version ?? this.#version;
    }
    this.change(draft);
  };

  /** The page has heard what became of it. What is written here still goes on from what it did. */
  readonly hear = (stored: Stored): void => {
    const before = this.#state.stored;
    this.#set({ stored });
    // What was refused meanwhile may be taken now.
    if (before && !this.#savesItself(before) && this.#savesItself(stored)) {
      this.#refused = null;
      this.#set({ refusal: null });
    }
    this.#plan();
  };

  /** Somebody has saved a newer version than the one that is written on. */
  readonly overtake = (): void => {
    clearTimeout(this.#timer);
    if (!this.#state.isOvertaken) this.#set({ isOvertaken: true });
  };

  /** Whether a version is newer than the one that is written on. */
  readonly isOlderThan = (version: Version): boolean =>
    this.#version !== null && version > this.#version && this.#state.phase === 'resting';

  get version(): Version | null {
    return this.#version;
  }

  readonly start = (): void => {
    this.#isStopped = false;
    this.#plan();
  };

  readonly stop = (): void => {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  };

  #set(patch: Partial<SaverState<Draft, Stored>>): void {
    const next = { ...this.#state, ...patch };
    const isChanged = this.#unsure !== null || !this.#options.isSame(next.draft, this.#kept);
    this.#state = { ...next, isChanged };
    for (const listener of this.#listeners) listener();
  }

  /** Something else is written on from here. */
  #begin(): void {
    this.#line += 1;
    this.#unsure = null;
    this.#refused = null;
  }

  #mayRun(): boolean {
    const { stored, isChanged, isOvertaken } = this.#state;
    const { mayWrite } = this.#options;
    return mayWrite && stored !== null && isChanged && !isOvertaken && this.#savesItself(stored);
  }

  #savesItself = (stored: Stored): boolean => this.#options.savesItself?.(stored) ?? true;

  #isRefused = (): boolean =>
    this.#refused !== null && this.#options.isSame(this.#state.draft, this.#refused);

  #plan(): void {
    const { phase } = this.#state;
    // While it fails, the next try is planned already. While it saves, the end of that plans.
    if (phase === 'failing' && this.#mayRun()) return;
    clearTimeout(this.#timer);
    if (phase === 'saving' || this.#isStopped || !this.#mayRun() || this.#isRefused()) return;
    this.#firstChange ??= Date.now();
    const left = this.#firstChange + longestWait - Date.now();
    this.#timer = setTimeout(() => void this.save('auto'), Math.max(0, Math.min(pause, left)));
  }

  async #saveAll(reason: SaveReason, seen: Stored | null, isOver: boolean): Promise<boolean> {
    if (!this.#options.mayWrite) return reason !== 'asked' && !this.#state.isChanged;
    if (reason !== 'asked' && !this.#mayRun()) return !this.#state.isChanged;
    if (reason === 'auto' && this.#isRefused()) return false;
    if (isOver && !(await this.#goOnFromNewest())) return false;
    // What may have been stored goes first, as it was: it is the same again, or it is not there.
    if (this.#unsure && !(await this.#sendOne(this.#unsure, reason))) return false;
    const isDone = reason !== 'asked' && !this.#state.isChanged;
    if (!isDone && !(await this.#sendOne(this.#sending(reason, seen), reason))) return false;
    this.#plan();
    return !this.#state.isChanged;
  }

  /**
   * Somebody decides against what others have saved until now. What is saved after that is asked
   * about again, however long the save takes.
   */
  async #goOnFromNewest(): Promise<boolean> {
    const { stored } = this.#state;
    if (!stored) return true;
    const line = this.#line;
    this.#set({ phase: 'saving' });
    try {
      const newest = await this.#options.read(stored);
      if (line === this.#line) {
        this.#begin();
        this.#version = this.#options.versionOf(newest);
        this.#set({ isOvertaken: false, refusal: null });
        return true;
      }
    } catch (error) {
      this.#options.onFailed(error, false);
    }
    this.#set({ phase: 'resting' });
    this.#plan();
    return false;
  }

  #sending(reason: SaveReason, seen: Stored | null): Sending<Draft, Stored, Version> {
    const { draft, stored } = this.#state;
    return { draft, stored, version: this.#version, seen, isAutomatic: reason !== 'asked' };
  }

  async #sendOne(sending: Sending<Draft, Stored, Version>, reason: SaveReason): Promise<boolean> {
    const isTold = reason !== 'auto';
    const line = this.#line;
    this.#firstChange = null;
    const problem = this.#options.problemOf(sending.draft, sending.stored === null);
    if (problem !== null) {
      this.#set({ refusal: { words: problem, isTold }, phase: 'resting' });
      return false;
    }
    this.#set({ phase: 'saving', ...(isTold ? { refusal: null } : {}) });
    try {
      const saved = await this.#options.send(sending);
      if (line !== this.#line) return this.#leftBehind({ stored: saved, draft: sending.draft });
      this.#unsure = null;
      this.#stored(saved, sending.draft);
      return true;
    } catch (error) {
      if (line !== this.#line) return this.#leftBehind();
      this.#failed(error, sending, isTold);
      return false;
    }
  }

  /** While it was saved, its writer went on from something else, and from another version. */
  #leftBehind(saved?: { stored: Stored; draft: Draft }): false {
    if (saved) this.#kept = saved.draft;
    this.#set({ phase: 'resting', ...(saved ? { stored: saved.stored } : {}) });
    this.#plan();
    return false;
  }

  #stored(stored: Stored, draft: Draft): void {
    this.#kept = draft;
    this.#version = this.#options.versionOf(stored);
    this.#firstChange = null;
    this.#refused = null;
    this.#retry = firstRetry;
    this.#set({ stored, phase: 'resting', savedAt: new Date(), refusal: null, isOvertaken: false });
  }

  #failed(error: unknown, sending: Sending<Draft, Stored, Version>, isTold: boolean): void {
    if (isPassing(error)) {
      if (isUnsure(error)) this.#unsure = sending;
      if (sending.stored !== null) this.#tryLater(error);
      else {
        this.#set({ phase: 'resting' });
        this.#options.onFailed(error, true);
      }
      return;
    }
    this.#unsure = null;
    this.#refused = sending.draft;
    const code = error instanceof ApiError ? error.code : undefined;
    const isOvertaken = code === 'changed_meanwhile';
    const refusal = { words: whyOf(error), isTold: isTold || isOvertaken, code };
    this.#set({ phase: 'resting', refusal, ...(isOvertaken ? { isOvertaken } : {}) });
    // What was written meanwhile may be taken.
    this.#plan();
  }

  #tryLater(error: unknown): void {
    this.#set({ phase: 'failing' });
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
    this.#timer = setTimeout(() => void this.save('auto'), Math.max(this.#retry, asked));
    this.#retry = Math.min(this.#retry * 2, longestRetry);
  }
}

/** No answer, or a part of one, or a failure of the server: it may have done what it was asked. */
const isUnsure = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** It may work when it is tried again: as above, or nobody is signed in, or too many calls. */
const isPassing = (error: unknown): boolean =>
  isUnsure(error) || (error instanceof ApiError && [401, 408, 429].includes(error.status));

const whyOf = (error: unknown): string =>
  (error instanceof ApiError && Object.values(error.fields).map(String).join(' ')) || words(error);
