const kinds = ['blank', 'passed', 'leftOut', 'several'] as const;
/**
 * What the first reading found about a row: nothing in it, nothing against it, or its own reason to
 * leave it out. `several`: the line has several addresses, and a mark for each follows.
 */
export type RowMark = (typeof kinds)[number];

const perByte = 4;

/** The marks of a file's rows in file order, two bits each: 15 million rows take 4 MB. */
export class RowMarks {
  #bytes = new Uint8Array(65_536);
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  add(mark: RowMark): void {
    const byte = Math.floor(this.#rows / perByte);
    if (byte === this.#bytes.length) {
      const longer = new Uint8Array(this.#bytes.length * 2);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    const bits = kinds.indexOf(mark) << (2 * (this.#rows % perByte));
    this.#bytes[byte] = (this.#bytes[byte] as number) | bits;
    this.#rows++;
  }

  /** The mark of the row with this number, counted from 0. @throws RangeError past the last row. */
  at(row: number): RowMark {
    if (row >= this.#rows) throw new RangeError(`there is no row ${row}: ${this.#rows} were read`);
    const byte = this.#bytes[Math.floor(row / perByte)] as number;
    return kinds[(byte >> (2 * (row % perByte))) & 3] as RowMark;
  }
}
