import { unneutralise } from '#features/csv/rules.ts';
import { type Mapping, saysBasis } from './mapping.ts';
import { createBasisReader, type RowBasis } from './row-basis.ts';
import { withoutShownAddress } from './shown-name.ts';

/** Longest text to keep from one cell, in UTF-16 units. */
export const longestCell = 10_000;

/** What a row says besides its address, for a row that may still be corrected. */
export interface RowValues {
  name?: string;
  firstName?: string;
  lastName?: string;
  source?: string;
  date?: string;
  notes?: string;
  attributes?: Record<string, string>;
  basis?: RowBasis;
}

const own = ['name', 'firstName', 'lastName', 'source', 'date', 'notes'] as const;

/** The same as an import keeps of the row. */
export function rowValues(mapping: Mapping, fields: readonly string[], now: number): RowValues {
  const cell = (index: number) =>
    unneutralise((fields[index] ?? '').trim())
      .slice(0, longestCell)
      .replaceAll('\0', '')
      .toWellFormed();
  const values: RowValues = {};
  for (const field of own) {
    const given = cell(mapping[field]);
    const text = field === 'name' ? withoutShownAddress(given) : given;
    if (text !== '') values[field] = text;
  }
  const attributes: Record<string, string> = {};
  for (const { index, name } of mapping.extras) {
    const text = cell(index);
    if (text !== '') attributes[name] = text;
  }
  if (Object.keys(attributes).length > 0) values.attributes = attributes;
  if (saysBasis(mapping)) values.basis = createBasisReader(mapping, now)(fields);
  return values;
}
