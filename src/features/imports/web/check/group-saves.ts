import type { ChosenGroups } from '../api.ts';

export type GroupField = keyof ChosenGroups;

interface Options {
  shown: () => ChosenGroups;
  show: (of: GroupField, chosen: ChosenGroups[GroupField]) => void;
  /** Stores the field that is named. */
  save: (groups: ChosenGroups) => Promise<unknown>;
  /** The newest choice of a field is not stored. It is no longer shown. */
  onRefused: (of: GroupField, error: unknown) => void;
}

/** A field whose newest choice waits for its answer. */
interface Open {
  /** Counts choices. */
  newest: number;
  /** What is stored of the field until then. */
  stored: ChosenGroups;
}

/**
 * Choices of a list, tags and a basis. Each is shown at once, and saved in its turn without the
 * other fields: none is refused for another one, and what a colleague has chosen stays.
 */
export class GroupSaves {
  readonly #options: Options;
  #turn: Promise<void> = Promise.resolve();
  #choices = 0;
  readonly #open = new Map<GroupField, Open>();
  /** Fields whose newest choice was refused since nothing was being saved. */
  readonly #refused = new Set<GroupField>();

  constructor(options: Options) {
    this.#options = options;
  }

  get isSaving(): boolean {
    return this.#open.size > 0;
  }

  choose<Of extends GroupField>(of: Of, chosen: ChosenGroups[Of]): void {
    const { shown, show } = this.#options;
    if (!this.isSaving) this.#refused.clear();
    this.#refused.delete(of);
    this.#choices += 1;
    const choice = this.#choices;
    const stored = this.#open.get(of)?.stored ?? { [of]: shown()[of] };
    this.#open.set(of, { newest: choice, stored });
    show(of, chosen);
    this.#turn = this.#turn.then(() => this.#save(of, { [of]: chosen }, choice));
  }

  /**
   * Resolves once no choice is being saved any more: to false if a field's newest one was refused
   * meanwhile.
   */
  async settled(): Promise<boolean> {
    if (!this.isSaving) return true;
    while (this.isSaving) await this.#turn;
    return this.#refused.size === 0;
  }

  async #save(of: GroupField, chosen: ChosenGroups, choice: number): Promise<void> {
    const { show, save, onRefused } = this.#options;
    try {
      await save(chosen);
      const open = this.#open.get(of);
      if (open) open.stored = chosen;
    } catch (error) {
      const open = this.#open.get(of);
      if (open?.newest !== choice) return;
      show(of, open.stored[of]);
      this.#refused.add(of);
      onRefused(of, error);
    } finally {
      if (this.#open.get(of)?.newest === choice) this.#open.delete(of);
    }
  }
}
