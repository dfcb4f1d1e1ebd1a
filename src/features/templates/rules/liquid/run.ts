import { limits } from './limits.ts';

/** A template that cannot be filled, in words for the person who wrote it. */
export class FillError extends Error {
  override name = 'FillError';
}

export type MergeData = Readonly<Record<string, unknown>>;

/** Gives a link its address in the mail. `index` counts the links of the part from 0. */
export type LinkMaker = (url: string, index: number) => string;

/** One fill of one part. */
export class Run {
  readonly data: MergeData;
  readonly link: LinkMaker | undefined;
  /** What the template itself named: `assign`, `capture`, and the variables of its loops. */
  readonly locals: Record<string, unknown> = Object.create(null);
  /** After `break` or `continue`, until the loop it belongs to sees it. */
  jump: 'break' | 'continue' | null = null;
  #left: number;

  /** `most` is the work that it may do. */
  constructor(data: MergeData, link?: LinkMaker, most = limits.work) {
    this.data = data;
    this.link = link;
    this.#left = most;
  }

  /** Work that it may still do. */
  get left(): number {
    return this.#left;
  }

  /** Counts work, and ends the fill when there is too much of it. */
  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new FillError('This template does too much work. Repeat or join less.');
  }
}
