import type { DetectedCsv } from '#features/csv/rules.ts';
import type { NonUkView } from '#features/imports/contract.ts';
import { otherEmailColumns } from '#features/imports/rules/email-columns.ts';
import { nonUkLines, nonUkTitle } from '#features/imports/rules/non-uk-words.ts';
import { slipsFound, slipsMended } from '#features/imports/rules/note-words.ts';
import { problemsSentence, severalSentence, titlesSentence } from '#features/imports/rules/problem-words.ts';
import type { EmailValidation } from '#features/settings/contract.ts';
import { formatCount, formatNumber } from '#platform/shared/words.ts';
import type { Cleaned } from './clean.ts';
import type { CleanOptions } from './clean-options.ts';
import type { Input } from './input.ts';
import type { SuppressionList } from './suppression-list.ts';

/** The data for the final report, to people or to programs. */
export interface Told {
  options: CleanOptions;
  rules: EmailValidation;
  input: Input;
  suppressions: SuppressionList | null;
  cleaned: Cleaned;
  seconds: number;
}

/** For programs. The counts have the same names as in the API. */
export function jsonOf({ options, input, suppressions, cleaned, seconds }: Told): object {
  const { detected, emails, severalAddresses, optOuts, rows, counts, problems, sample } = cleaned;
  return {
    file: options.input,
    rows,
    ...counts,
    out: options.out,
    rejects: options.rejects,
    emailColumn: detected.columns[emails[0] ?? -1],
    emailColumns: emails.map((index) => detected.columns[index]),
    severalAddresses,
    nonUkView: cleaned.nonUk,
    slips: cleaned.slips,
    slipTotal: cleaned.slipTotal,
    titles: detected.titles,
    doNotMail: [...optOuts.rows].map(([index, rows]) => ({ name: detected.columns[index], rows })),
    unclear: optOuts.unclear.map(({ index, values }) => ({ name: detected.columns[index], values })),
    dialect: detected.dialect,
    sheet: input.sheet,
    problems,
    suppressions:
      suppressions === null
        ? null
        : {
            entries: suppressions.entries,
            unread: suppressions.unread,
            firstUnread: suppressions.firstUnread,
          },
    ...(options.preview
      ? {
          columns: detected.columns.map((name, index) => ({
            name,
            firstValue: detected.firstValues[index] ?? '',
            filled: detected.filled[index] ?? 0,
            addresses: addressesIn(detected, index),
          })),
          sample,
        }
      : {}),
    bytes: input.size,
    seconds: Number(seconds.toFixed(3)),
  };
}

/** For people. Ends with a line end. */
export function textOf(told: Told): string {
  const { options, rules, suppressions, cleaned } = told;
  const { counts, rows, problems, detected } = cleaned;
  const fates: [label: string, count: number][] = [
    [options.preview ? 'To keep' : 'Kept', counts.imported],
    ['Duplicates', counts.duplicates],
    ['Invalid', counts.invalid],
    ['Non-UK', counts.nonUk],
    ['Suppressed', counts.suppressed],
  ];
  const lines = [
    `${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'} in ${told.input.name}: ${describeDialect(cleaned, told.input.sheet)}`,
    '',
    ...(options.preview ? [...describeColumns(cleaned), ''] : []),
    ...table(fates.map(([label, count]) => [label, formatNumber(count), share(count, rows)])),
    '',
    ...(options.preview ? [...describeSample(cleaned), ''] : []),
  ];
  if (problems.total > 0) lines.push(problemsSentence({ problems, dialect: detected.dialect }));
  lines.push(...optOutNotes(cleaned), ...notes(cleaned, rules, suppressions));
  lines.push(...places(told));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Who is left out by the file's own columns, and the columns that nobody has explained. */
function optOutNotes({ optOuts, detected }: Cleaned): string[] {
  const nameOf = (index: number) => `“${cut(detected.columns[index] ?? '', 80)}”`;
  const lines = [...optOuts.rows]
    .sort(([, a], [, b]) => b - a)
    .map(([index, rows]) => `Column ${nameOf(index)} speaks against mailing in ${formatCount(rows, 'row')}.`);
  if (optOuts.rows.size > 0)
    lines.push('These people are left out as suppressed: --keep-opt-outs keeps them.');
  for (const { index, values } of optOuts.unclear) {
    const name = detected.columns[index];
    if (values[0]?.value === '') {
      lines.push(
        `Warning: column ${nameOf(index)} is blank in ${formatCount(values[0].rows, 'row')} of those looked at, and says yes in the others. That leaves nobody out: --do-not-mail "${name}=" leaves out the blank ones.`,
      );
      continue;
    }
    const shown = values.slice(0, 5).map(({ value }) => `“${cut(value, 40)}”`);
    lines.push(
      `Warning: column ${nameOf(index)} may say who must not be mailed. It holds ${shown.join(', ')}${values.length > 5 ? ' and others' : ''}. These are not understood, so it leaves nobody out: --do-not-mail "${name}=${values[0]?.value}" leaves out the rows with that text.`,
    );
  }
  return lines;
}

/** What the non-UK filter leaves out, and how to keep what looks British. */
function nonUkNotes(view: NonUkView, rules: EmailValidation): string[] {
  const title = nonUkTitle(view);
  if (title === null) return [];
  const keeps = [
    ...(rules.ukPolicy === 'suffix' && view.likelyUk > 0
      ? ['--uk-policy likely keeps the British ones']
      : []),
    ...(rules.ukPolicy !== 'any_but_foreign_cctld' && view.global > 0
      ? ['--uk-policy any_but_foreign_cctld keeps all but foreign endings']
      : []),
  ];
  return [`${title}:`, ...[...nonUkLines(view), ...keeps].map((line) => `  ${line}`)];
}

const slipsNote = (cleaned: Cleaned): string =>
  `${slipsFound(cleaned)} ${cleaned.slipTotal.mended > 0 ? slipsMended(cleaned.slipTotal) : '--mend-slips reads them as they were meant.'}`;

/** What a person should know before trusting the result. */
function notes(cleaned: Cleaned, rules: EmailValidation, suppressions: SuppressionList | null): string[] {
  const { nonUk, slips, detected, emails, severalAddresses } = cleaned;
  const columns = detected.columns.map((name, index) => ({ name, addresses: addressesIn(detected, index) }));
  const lines = otherEmailColumns(columns, emails).map(
    ({ name, addresses }) =>
      `Column “${name}” holds addresses too, in ${formatCount(addresses, 'row')} of those looked at: --email-column "${name}" reads it instead, and with --email-column for each they are all read.`,
  );
  if (severalAddresses.lines > 0) lines.push(severalSentence(severalAddresses));
  if (detected.titles.length > 0) lines.push(titlesSentence(detected.titles));
  lines.push(...nonUkNotes(nonUk, rules));
  if (slips.length > 0) lines.push(slipsNote(cleaned));
  if (rules.checkMXRecords)
    lines.push('The settings ask for mail servers to be looked up. This command asks none.');
  if (suppressions?.firstUnread) {
    const { file, line, why } = suppressions.firstUnread;
    const count = suppressions.unread;
    lines.push(
      `${formatNumber(count)} ${count === 1 ? 'line' : 'lines'} of the suppression list could not be read and ${count === 1 ? 'suppresses' : 'suppress'} nobody; the first is line ${formatNumber(line)} of ${file}: ${why}`,
    );
  }
  return lines;
}

function places({ options, cleaned: { rows, counts }, seconds }: Told): string[] {
  const took = `${seconds < 10 ? seconds.toFixed(1) : formatNumber(Math.round(seconds))} s`;
  if (options.preview) return [`Nothing was written; ${took}.`];
  const files = [`Kept rows are in ${shown(options.out)}`];
  if (options.rejects !== null) {
    const others = rows - counts.imported;
    files.push(
      `${others === 1 ? 'the other row' : `the ${formatNumber(others)} others`} in ${shown(options.rejects)}`,
    );
  }
  return [`${files.join(', ')}; ${took}.`];
}

const shown = (path: string | null): string => (path === '-' ? 'standard output' : (path ?? ''));

const delimiterWords: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
};
const encodingWords: Record<string, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

function describeDialect({ detected: { dialect, columns }, emails }: Cleaned, sheet: Input['sheet']): string {
  const place = dialect.header
    ? `in ${emails.length === 1 ? 'column' : 'columns'} ${emails.map((index) => `“${columns[index]}”`).join(', ')}`
    : `in ${emails.length === 1 ? 'column' : 'columns'} ${emails.map((index) => index + 1).join(', ')}, without a header`;
  const between =
    columns.length > 1 ? `${delimiterWords[dialect.delimiter]} between the cells` : 'one column';
  if (sheet) {
    const others = sheet.sheets.length > 1 ? `, one of ${formatNumber(sheet.sheets.length)}` : '';
    return `sheet “${cut(sheet.name, 40)}”${others}, addresses ${place}`;
  }
  return `${encodingWords[dialect.encoding]}, ${between}, addresses ${place}`;
}

const addressesIn = ({ emailColumns }: DetectedCsv, column: number): number =>
  emailColumns.find(({ index }) => index === column)?.addresses ?? 0;

function describeColumns(cleaned: Cleaned): string[] {
  const { columns, filled, firstValues } = cleaned.detected;
  return table(
    columns.map((name, index) => [
      cut(name, 24),
      `${Math.round((filled[index] ?? 0) * 100)}% filled`,
      cut(firstValues[index] ?? '', 50),
    ]),
    [false, true, false],
  );
}

function describeSample({ sample }: Cleaned): string[] {
  return table(
    sample.map(({ line, text, fate, why }) => [
      `line ${formatNumber(line)}`,
      fateWords[fate],
      cut(text, 48),
      cut(why, 60),
    ]),
    [true, false, false, false],
  );
}

const fateWords = {
  imported: 'keep',
  duplicate: 'duplicate',
  invalid: 'invalid',
  nonUk: 'non-UK',
  suppressed: 'suppressed',
};

/** Rows of cells as lines, each column as wide as its widest cell. */
function table(rows: string[][], right: readonly boolean[] = [false, true, true]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** One line, safe for a terminal: the file's content must not move the cursor or change colours. */
function cut(text: string, longest: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return plain.length > longest ? `${plain.slice(0, longest - 1).toWellFormed()}…` : plain;
}

function share(part: number, of: number): string {
  const percent = (part / of) * 100;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  return percent > 99.9 && part < of ? '>99.9%' : `${percent.toFixed(1)}%`;
}
