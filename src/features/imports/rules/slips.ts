/** Slips in domains: what a file has, what was probably meant, and which of them are mended. */

/** The domains as the file has them whose slips are mended on the way in, or all of them. */
export type Mend = 'all' | readonly string[];

export interface Slip {
  /** The domain as the file has it, in lower case. */
  from: string;
  to: string;
}

/** Whether the slip in this domain is to be mended. */
export function createMendTest(mend: Mend): (from: string) => boolean {
  if (mend === 'all') return () => true;
  const chosen = new Set(mend);
  return (from) => chosen.has(from);
}

/**
 * The slip between an address and the one suggested for it. Null when more than the domain differs.
 */
export function slipIn(address: string, suggestion: string | null): Slip | null {
  if (suggestion === null) return null;
  const at = address.lastIndexOf('@');
  const meantAt = suggestion.lastIndexOf('@');
  if (at < 1 || address.slice(0, at).toLowerCase() !== suggestion.slice(0, meantAt).toLowerCase())
    return null;
  return { from: address.slice(at + 1).toLowerCase(), to: suggestion.slice(meantAt + 1).toLowerCase() };
}

export interface CountedSlip extends Slip {
  rows: number;
  mended: boolean;
}

/** All slips of a file. */
export interface SlipTotal {
  /** Different domains with a slip, up to `mostPatterns`. */
  patterns: number;
  rows: number;
  /** Those of the rows that were mended. */
  mended: number;
}

const mostPatterns = 20_000;

/** Counts slips by the domain as the file has it. */
export class SlipTally {
  readonly #slips = new Map<string, CountedSlip>();
  #rows = 0;
  #mended = 0;

  add(slip: Slip | null, mended: boolean): void {
    if (slip === null) return;
    this.#rows++;
    if (mended) this.#mended++;
    const known = this.#slips.get(slip.from);
    if (known) known.rows++;
    else if (this.#slips.size < mostPatterns) this.#slips.set(slip.from, { ...slip, rows: 1, mended });
  }

  get anyMended(): boolean {
    return this.#mended > 0;
  }

  get total(): SlipTotal {
    return { patterns: this.#slips.size, rows: this.#rows, mended: this.#mended };
  }

  /** The most frequent, with the number of rows of each. */
  mostFrequent(number: number): CountedSlip[] {
    return [...this.#slips.values()].sort((a, b) => b.rows - a.rows).slice(0, number);
  }
}
