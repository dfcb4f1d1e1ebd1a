import type { OptOutColumn } from './opt-outs.ts';
import type { AddressChoice } from './row-addresses.ts';

/**
 * How an import has read the rows of its file: what it takes to read one of them again from the
 * receipt. Plain JSON.
 */
export interface ReadAs {
  delimiter: ',' | ';' | '\t' | '|';
  quote: '"' | "'" | '';
  targets: string[];
  addresses: AddressChoice;
  optOuts: OptOutColumn[];
}
