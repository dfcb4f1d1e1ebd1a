import { unneutralise } from '#features/csv/rules.ts';
import type { Mapping } from './mapping.ts';
import { withoutShownAddress } from './shown-name.ts';

/** What a row says besides its address, kept with a row that may still be corrected. */
export interface RowValues {
  name?: string;
  firstName?: string;
  lastName?: string;
  source?: string;
  date?: string;
  notes?: string;
  attributes?: Record<string, string>;
}

const own = ['name', 'firstName', 'lastName', 'source', 'date', 'notes'] as const;
const longest = { name: 500, firstName: 200, lastName: 200, source: 1_000, date: 1_000, notes: 1_000 };
const longestExtra = 500;
const mostExtras = 50;

export function rowValues(mapping: Mapping, fields: readonly string[]): RowValues {
  const cell = (index: number, most: number) =>
    unneutralise((fields[index] ?? '').trim())
      .slice(0, most)
      .replaceAll('\0', '')
      .toWellFormed();
  const values: RowValues = {};
  for (const field of own) {
    const given = cell(mapping[field], longest[field]);
    const text = field === 'name' ? withoutShownAddress(given) : given;
    if (text !== '') values[field] = text;
  }
  const attributes: Record<string, string> = {};
  for (const { index, name } of mapping.extras.slice(0, mostExtras)) {
    const text = cell(index, longestExtra);
    if (text !== '') attributes[name] = text;
  }
  return Object.keys(attributes).length > 0 ? { ...values, attributes } : values;
}
