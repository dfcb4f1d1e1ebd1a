/** Those who wait for their turn. Whoever comes first is first, but for those who go before all. */
export class Line {
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];

  wait(goesFirst: boolean): Promise<void> {
    return new Promise((resolve) => (goesFirst ? this.#first : this.#others).push(resolve));
  }

  /** Whoever waits longest is next. False: nobody waits. */
  next(): boolean {
    const next = this.#first.shift() ?? this.#others.shift();
    next?.();
    return next !== undefined;
  }
}
