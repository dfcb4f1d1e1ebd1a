import { longestSource, type SaidBasis } from '#features/basis/contract.ts';
import { basisInCell } from '#features/basis/rules/basis-cells.ts';
import type { Basis } from '#features/contacts/contract.ts';
import { unneutralise } from '#features/csv/rules.ts';
import type { Mapping } from './mapping.ts';
import { createDateReader } from './opt-out-dates.ts';

/** What a row says of its marketing basis. */
export interface RowBasis {
  /** Null: nothing. */
  basis: Basis | null;
  /** Null: none is named. */
  source: string | null;
  day: string | null;
}

/**
 * Returns a function from the cells of a row to what they say of its marketing basis. 03/04/2024 is
 * a day in April, as in Britain. A day that cannot be read, or comes after `now`, is left out.
 */
export function createBasisReader(
  { basis, basisSource, basisDate }: Mapping,
  now: number,
): (fields: readonly string[]) => RowBasis {
  const days = createDateReader(now);
  const sourceOf = (fields: readonly string[]) =>
    unneutralise(fields[basisSource] ?? '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, longestSource)
      .toWellFormed();
  return (fields) => ({
    basis: basisInCell(fields[basis] ?? ''),
    source: sourceOf(fields) || null,
    day: fields[basisDate] ? days.read(fields[basisDate], 'day-first') : null,
  });
}

/**
 * The basis of a row in an import that says one for its file. A row that names a basis of its own
 * takes source and day of the file only where the basis is the file's. Null: nothing is said.
 */
export function saidOfRow(row: RowBasis | undefined, ofFile: SaidBasis | undefined): SaidBasis | null {
  const basis = row?.basis ?? ofFile?.basis ?? 'unknown';
  if (basis === 'unknown') return null;
  const rest = basis === ofFile?.basis ? ofFile : undefined;
  const source = row?.source ?? rest?.source;
  const givenOn = row?.day ?? rest?.givenOn;
  return { basis, ...(source ? { source } : {}), ...(givenOn ? { givenOn } : {}) };
}
