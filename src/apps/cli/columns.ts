import type { DetectedCsv } from '#features/csv/rules.ts';
import { WrongUse } from './failure.ts';

/** The index of a column, by its name in the file (in any letter case) or its number from 1. */
export function columnNamed(text: string, columns: readonly string[]): number {
  const exact = columns.indexOf(text);
  if (exact >= 0) return exact;
  const lower = text.toLowerCase();
  const alike = columns.findIndex((name) => name.toLowerCase() === lower);
  if (alike >= 0) return alike;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= columns.length) return number - 1;
  const shown = columns.slice(0, 12).map((name) => `“${name}”`);
  throw new WrongUse(
    `There is no column “${text}”. The file has ${shown.join(', ')}${columns.length > 12 ? ` and ${columns.length - 12} more` : ''}.`,
  );
}

/** The columns to write, in order. They must include those with addresses. */
export function columnsToWrite(
  detected: DetectedCsv,
  emails: readonly number[],
  wanted: readonly string[] | null,
): number[] {
  if (wanted === null) return detected.columns.map((_, index) => index);
  const chosen = wanted.map((text) => columnNamed(text, detected.columns));
  const missing = emails.find((column) => !chosen.includes(column));
  if (missing !== undefined) {
    throw new WrongUse(`--columns must include the column of the addresses, “${detected.columns[missing]}”.`);
  }
  return chosen;
}
