import { formatCount, formatNumber } from '#platform/shared/words.ts';
import type { ImportCheck } from '../contract.ts';

/** Describes what is wrong with lines of a file. */

/**
 * The wording for one and for many of each kind: "3 have too many fields, 1 has an unclosed quote".
 */
const problemKinds: Record<string, { one: string; many: string; alone: string }> = {
  unclosed_quote: { one: 'has an unclosed quote', many: 'have an unclosed quote', alone: 'Unclosed quote' },
  malformed_quote: {
    one: 'has text after a closing quote',
    many: 'have text after a closing quote',
    alone: 'Text after a closing quote',
  },
  too_many_fields: { one: 'has too many fields', many: 'have too many fields', alone: 'Too many fields' },
  too_few_fields: { one: 'has too few fields', many: 'have too few fields', alone: 'Too few fields' },
  record_too_long: { one: 'is too long to read', many: 'are too long to read', alone: 'Too long to read' },
  nul_byte: {
    one: 'holds characters that cannot be shown',
    many: 'hold characters that cannot be shown',
    alone: 'Characters that cannot be shown',
  },
  cell_cut: {
    one: 'has a cell with more text than a contact keeps, which was cut',
    many: 'have a cell with more text than a contact keeps, which was cut',
    alone: 'A cell cut, with more text than a contact keeps',
  },
  bad_encoding: { one: 'holds a lost character', many: 'hold a lost character', alone: 'Lost character' },
};

/** Kinds that are about the text of a line, not about its cells. */
const ofText = new Set(['nul_byte', 'bad_encoding', 'record_too_long', 'cell_cut']);

/** "3 blank lines were skipped." Null when there are none. */
export function skippedSentence(blank: number | null): string | null {
  if (!blank) return null;
  return `${formatCount(blank, 'blank line')} ${blank === 1 ? 'was' : 'were'} skipped.`;
}

/** "12 lines hold several addresses: 30 in all. Each is a row of its own." */
export const severalSentence = ({ lines, addresses }: { lines: number; addresses: number }): string =>
  `${formatCount(lines, 'line')} ${lines === 1 ? 'holds' : 'hold'} several addresses: ${formatNumber(addresses)} in all. Each counts as a row of its own.`;

/** "2 lines above the first row were skipped: “Members”, “1 May 2026”." */
export function titlesSentence(titles: readonly string[]): string {
  const told = titles.filter((title) => title !== '').map((title) => `“${title}”`);
  const shown = told.length > 3 ? `${told.slice(0, 3).join(', ')} …` : told.join(', ');
  const lines = formatCount(titles.length, 'line');
  return `${lines} above the first row ${titles.length === 1 ? 'was' : 'were'} skipped${shown === '' ? '' : `: ${shown}`}.`;
}

export const problemWord = (kind: string): string =>
  problemKinds[kind]?.alone ?? 'Cannot be read as it stands';

/**
 * "4 lines do not fit the header: 3 have too many fields, 1 has an unclosed quote (line 90,412)."
 */
export function problemsSentence({
  problems,
  dialect,
}: {
  problems: ImportCheck['problems'];
  dialect: Pick<ImportCheck['dialect'], 'header'>;
}): string {
  const { total, byKind, first } = problems;
  const parts = Object.entries(byKind)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => {
      const words = problemKinds[kind];
      const line = count === 1 ? first.find((one) => one.kind === kind)?.line : undefined;
      const verb = count === 1 ? (words?.one ?? 'cannot be read') : (words?.many ?? 'cannot be read');
      return `${formatNumber(count)} ${verb}${line === undefined ? '' : ` (line ${formatNumber(line)})`}`;
    });
  const lines = formatCount(total, 'line');
  const fault = Object.keys(byKind).every((kind) => ofText.has(kind))
    ? 'could not be read as written'
    : `${total === 1 ? 'does' : 'do'} not fit the ${dialect.header ? 'header' : 'others'}`;
  return `${lines} ${fault}: ${parts.join(', ')}.`;
}
