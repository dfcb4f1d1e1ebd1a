import { ApiError, words } from '#platform/web/api.ts';
import type { Template } from '../../contract.ts';
import { newId } from '../visual/new-id.ts';
import { type Draft, draftOf, isSameDraft } from './content.ts';

/** Milliseconds after the last change, and after the first one where changes do not end. */
export const pause = 2_500;
export const longestWait = 20_000;
/** Between tries, each twice as long as the one before. */
const firstRetry = 4_000;
const longestRetry = 60_000;

/**
 * - `auto`: nobody asked for it.
 * - `needed`: for something that somebody does next. They are told why it cannot be saved.
 * - `asked`: by the button. It is a version of its own, and it makes a new template.
 */
export type SaveReason = 'auto' | 'needed' | 'asked';

export interface SaverState {
  draft: Draft;
  /** As it was stored last. Null until it is created. */
  template: Template | null;
  isChanged: boolean;
  /** `failing`: no answer, or the server's own failure. It is tried again. */
  phase: 'resting' | 'saving' | 'failing';
  savedAt: Date | null;
  /** Why it cannot be stored as it is. */
  refusal: { words: string; isTold: boolean } | null;
  /** Somebody has saved a newer version. Nothing is saved over it unless they say so. */
  isOvertaken: boolean;
}

export interface Sending {
  draft: Draft;
  /** Null: make a new one. */
  id: number | null;
  /** Absent: over whatever stands there. */
  version: number | undefined;
  isAutomatic: boolean;
  /** Sent again with the same draft: the same template. */
  key: string;
}

interface Options {
  template: Template | null;
  begin: Draft;
  mayWrite: boolean;
  send: (sending: Sending) => Promise<Template>;
  /** Why the server would refuse it, as far as that is known here. */
  problemOf: (draft: Draft, isNew: boolean) => string | null;
  /** A failure that nothing on the screen tells. */
  onFailed: (error: unknown) => void;
}

/**
 * What somebody writes, and its way to the server: a moment after each change, one save after the
 * other, tried again where no answer came, and never over what somebody else has saved.
 */
export class Saver {
  #state: SaverState;
  readonly #options: Options;
  #kept: Draft;
  /** The version that is written on. */
  #version: number | undefined;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChange: number | null = null;
  #retry = firstRetry;
  #turn: Promise<unknown> = Promise.resolve();
  /** What was sent without an answer. It may have been stored. */
  #unsure: Sending | null = null;
  #isStopped = false;

  constructor(options: Options) {
    const { template, begin } = options;
    this.#options = options;
    this.#kept = begin;
    this.#version = template?.version;
    this.#state = {
      draft: begin,
      template,
      isChanged: false,
      phase: 'resting',
      savedAt: null,
      refusal: null,
      isOvertaken: false,
    };
  }

  readonly state = (): SaverState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly change = (patch: Partial<Draft>): void => {
    const draft = { ...this.#state.draft, ...patch };
    const isChanged = !isSameDraft(draft, this.#kept);
    this.#set({ draft, isChanged, ...(isChanged ? {} : { refusal: null }) });
    if (!isChanged) this.#firstChange = null;
    this.#plan();
  };

  /** Saves in its turn. Answers whether all that is written is stored now. */
  readonly save = (reason: SaveReason, isOver = false): Promise<boolean> => {
    clearTimeout(this.#timer);
    const turn = this.#turn.then(() => this.#saveAll(reason, isOver));
    this.#turn = turn;
    return turn;
  };

  /** Goes on from what is stored. What was written here and not saved is gone. */
  readonly take = (template: Template): void => {
    clearTimeout(this.#timer);
    this.#unsure = null;
    this.#stored(template, draftOf(template));
    this.#set({ draft: this.#kept, isChanged: false, savedAt: null });
  };

  /** Goes on from what was written earlier, on a version that may be older than the newest. */
  readonly resume = (draft: Draft, version: number | null): void => {
    if (this.#version !== undefined) this.#version = version ?? this.#version;
    this.change(draft);
  };

  /** Somebody has saved a newer version than the one that is written on. */
  readonly overtake = (): void => {
    clearTimeout(this.#timer);
    if (!this.#state.isOvertaken) this.#set({ isOvertaken: true });
  };

  /** Whether a version is newer than the one that is written on. */
  readonly isOlderThan = (version: number): boolean =>
    this.#version !== undefined && version > this.#version && this.#state.phase === 'resting';

  get version(): number | null {
    return this.#version ?? null;
  }

  readonly start = (): void => {
    this.#isStopped = false;
    this.#plan();
  };

  readonly stop = (): void => {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  };

  #set(patch: Partial<SaverState>): void {
    this.#state = { ...this.#state, ...patch };
    for (const listener of this.#listeners) listener();
  }

  #mayRun(): boolean {
    const { template, isChanged, isOvertaken } = this.#state;
    const isOpen = isChanged || this.#unsure !== null;
    return this.#options.mayWrite && template !== null && isOpen && !isOvertaken;
  }

  #plan(): void {
    const { phase } = this.#state;
    // While it fails, the next try is planned already. While it saves, the end of that plans.
    if (phase === 'failing' && this.#mayRun()) return;
    clearTimeout(this.#timer);
    if (phase === 'saving' || this.#isStopped || !this.#mayRun()) return;
    this.#firstChange ??= Date.now();
    const left = this.#firstChange + longestWait - Date.now();
    this.#timer = setTimeout(() => void this.save('auto'), Math.max(0, Math.min(pause, left)));
  }

  async #saveAll(reason: SaveReason, isOver: boolean): Promise<boolean> {
    if (!this.#options.mayWrite) return reason !== 'asked' && !this.#state.isChanged;
    if (reason !== 'asked' && !this.#mayRun()) return !this.#state.isChanged;
    // What may have been stored goes first, as it was: it is the same again, or it is not there.
    if (this.#unsure && !(await this.#sendOne(this.#unsure, reason))) return false;
    const isDone = reason !== 'asked' && !this.#state.isChanged;
    if (!isDone && !(await this.#sendOne(this.#sending(reason, isOver), reason))) return false;
    this.#plan();
    return !this.#state.isChanged;
  }

  #sending(reason: SaveReason, isOver: boolean): Sending {
    const { draft, template } = this.#state;
    return {
      draft,
      id: template?.id ?? null,
      version: isOver ? undefined : this.#version,
      isAutomatic: reason !== 'asked',
      key: newId(),
    };
  }

  async #sendOne(sending: Sending, reason: SaveReason): Promise<boolean> {
    const isTold = reason !== 'auto';
    const problem = this.#options.problemOf(sending.draft, sending.id === null);
    if (problem !== null) {
      this.#set({ refusal: { words: problem, isTold }, phase: 'resting' });
      return false;
    }
    this.#set({ phase: 'saving', ...(isTold ? { refusal: null } : {}) });
    try {
      const saved = await this.#options.send(sending);
      this.#unsure = null;
      this.#stored(saved, sending.draft);
      return true;
    } catch (error) {
      this.#failed(error, sending, isTold);
      return false;
    }
  }

  #stored(template: Template, draft: Draft): void {
    this.#kept = draft;
    this.#version = template.version;
    this.#firstChange = null;
    this.#retry = firstRetry;
    const isChanged = !isSameDraft(this.#state.draft, draft);
    this.#set({
      template,
      isChanged,
      phase: 'resting',
      savedAt: new Date(),
      refusal: null,
      isOvertaken: false,
    });
  }

  #failed(error: unknown, sending: Sending, isTold: boolean): void {
    if (isPassing(error)) {
      if (isUnsure(error)) this.#unsure = sending;
      if (sending.id !== null) this.#tryLater(error);
      else {
        this.#set({ phase: 'resting' });
        this.#options.onFailed(error);
      }
      return;
    }
    this.#unsure = null;
    const isOvertaken = error instanceof ApiError && error.code === 'changed_meanwhile';
    const refusal = { words: whyOf(error), isTold: isTold || isOvertaken };
    this.#set({ phase: 'resting', refusal, ...(isOvertaken ? { isOvertaken } : {}) });
    // What was written meanwhile may be taken. The same again would only be refused again.
    if (!isSameDraft(this.#state.draft, sending.draft)) this.#plan();
  }

  #tryLater(error: ApiError): void {
    this.#set({ phase: 'failing' });
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.save('auto'),
      Math.max(this.#retry, (error.retryAfter ?? 0) * 1000),
    );
    this.#retry = Math.min(this.#retry * 2, longestRetry);
  }
}

/** It may work when it is tried again: no answer, a failure of the server, too many calls. */
const isPassing = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.status === 0 || error.status >= 500 || [401, 408, 429].includes(error.status));

/** The server may have done what it was asked. */
const isUnsure = ({ status }: ApiError): boolean => status === 0 || status >= 500;

const whyOf = (error: unknown): string =>
  (error instanceof ApiError && Object.values(error.fields).map(String).join(' ')) || words(error);
