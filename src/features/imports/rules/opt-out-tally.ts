import { isPlaceholder } from './opt-out-words.ts';
import {
  isMailIn,
  type OptOut,
  type OptOutColumn,
  optOutReasonIn,
  type UnclearColumn,
  valueKey,
} from './opt-outs.ts';

/** What a column about mailing holds in the readable rows of a whole file. */
export interface OptOutTally {
  /** Those that it speaks against mailing. */
  rows: number;
  /** Those in which its cell is blank. */
  blank: number;
  /** How often each text stands in the column, of the first ones met. Without the blank ones. */
  values: Map<string, number>;
}

const countedValues = 200;
const longestValue = 100;
const shownValues = 20;

/** Counts what the columns say about a readable row, by their indexes. */
export function noteOptOut(
  { optOuts }: { optOuts: Map<number, OptOutTally> },
  columns: readonly OptOutColumn[],
  { fields, optOut }: { fields: readonly string[]; optOut: OptOut | null },
): void {
  for (const { index } of columns) {
    const text = fields[index] ?? '';
    const counted = optOuts.get(index) ?? { rows: 0, blank: 0, values: new Map<string, number>() };
    optOuts.set(index, counted);
    if (text.trim() === '') {
      counted.blank++;
      continue;
    }
    const value = text.slice(0, longestValue).toWellFormed();
    const before = counted.values.get(value);
    if (before !== undefined || counted.values.size < countedValues)
      counted.values.set(value, (before ?? 0) + 1);
  }
  const speaking = optOut && optOuts.get(optOut.column);
  if (speaking) speaking.rows++;
}

/**
 * The columns to ask about once all rows are read: `unclear` by the first of them, and those of
 * ticks, the first blank one of which stood further down.
 */
export function unclearAfter(
  unclear: readonly UnclearColumn[],
  columns: readonly OptOutColumn[],
  tallies: ReadonlyMap<number, OptOutTally>,
): UnclearColumn[] {
  const later = columns.flatMap((column) => {
    if (unclear.some(({ index }) => index === column.index)) return [];
    const tally = tallies.get(column.index);
    return tally && isTicked(column, tally) ? [asked(column, tally)] : [];
  });
  return [...unclear, ...later].sort((a, b) => a.index - b.index);
}

/**
 * Whether some cells agree, none refuses, others are blank, and nobody has said what these mean.
 */
function isTicked(column: OptOutColumn, { rows, blank, values }: OptOutTally): boolean {
  const knowsNo = Object.keys(column.values).some((key) => key !== 'none');
  if (column.vocabulary !== 'in' || blank === 0 || rows > 0 || knowsNo || column.mail.includes(''))
    return false;
  const texts = [...values.keys()];
  const told = texts.filter((text) => !isPlaceholder(valueKey(text)));
  return (
    told.length > 0 &&
    told.every((text) => isMailIn(column, text)) &&
    texts.every((text) => optOutReasonIn(column, text) === null)
  );
}

const asked = ({ index }: OptOutColumn, { blank, values }: OptOutTally): UnclearColumn => ({
  index,
  values: [
    { value: '', rows: blank },
    ...[...values]
      .filter(([value]) => !isPlaceholder(valueKey(value)))
      .sort(([, a], [, b]) => b - a)
      .slice(0, shownValues)
      .map(([value, rows]) => ({ value, rows })),
  ],
});
