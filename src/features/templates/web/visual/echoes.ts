/**
 * Whoever holds a value is told of each change, and hands it back. While somebody types, it may be
 * an older one that comes back: an echo. Anything else is a decision of the holder, also where it
 * is a value that was shown before: they have undone something, or gone back to what was kept.
 */
export class Echoes<Value extends object> {
  #given: Value;
  /** What was told and may still come back. */
  readonly #told = new Set<Value>();

  constructor(given: Value) {
    this.#given = given;
  }

  /** The holder is told that this is the value from here. */
  tell(value: Value): void {
    this.#told.add(value);
  }

  /** Whether the holder has decided for `given`, where `present` is what is shown. */
  isDecision(given: Value, present: Value): boolean {
    if (given === this.#given) return false;
    this.#given = given;
    const isEcho = this.#told.has(given);
    // The present one comes back last, and a decision puts an end to all that was told before it.
    if (!isEcho || given === present) this.#told.clear();
    return !isEcho;
  }
}
