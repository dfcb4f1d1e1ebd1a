import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { DialectOverrides } from '#features/csv/rules.ts';
import { delimiters, encodings, mostTitleLines, type quotes } from '#features/imports/contract.ts';
import type { AddressChoice } from '#features/imports/rules/row-addresses.ts';
import { WrongUse } from './failure.ts';
import { standard } from './input.ts';
import { type RuleValues, ruleOptions } from './rules-given.ts';

type Quote = (typeof quotes)[number];

export interface CleanOptions {
  input: string;
  out: string | null;
  rejects: string | null;
  suppressions: string[];
  rules: RuleValues;
  removeDuplicates: boolean;
  validateEmails: boolean;
  filterNonUk: boolean;
  /** Reads domains with a probable slip as they were meant. */
  mendSlips: boolean;
  /** Heed the columns that say who must not be mailed. */
  optOuts: boolean;
  /** Columns that say so by the person's word: `Left`, or `Left=2023,2024`. */
  doNotMail: string[];
  /** Names or 1-based numbers of the columns to write. Null means all. */
  columns: string[] | null;
  /** Names or 1-based numbers of the columns with addresses. Null means the one that is found. */
  emailColumns: string[] | null;
  /** The sheet of a workbook. Null means the first with addresses. */
  sheet: string | null;
  /** Which are taken when several columns hold addresses. */
  addresses: AddressChoice;
  dialect: Omit<DialectOverrides, 'emailColumn'>;
  verdicts: boolean;
  preview: boolean;
  json: boolean;
  failOnRejects: boolean;
}

const options = {
  ...ruleOptions,
  out: { type: 'string', short: 'o' },
  rejects: { type: 'string', short: 'r' },
  suppressions: { type: 'string', short: 's', multiple: true },
  'keep-duplicates': { type: 'boolean' },
  'no-validate': { type: 'boolean' },
  'keep-non-uk': { type: 'boolean' },
  'mend-slips': { type: 'boolean' },
  'keep-opt-outs': { type: 'boolean' },
  'do-not-mail': { type: 'string', multiple: true },
  columns: { type: 'string' },
  'email-column': { type: 'string', multiple: true },
  'each-address': { type: 'boolean' },
  sheet: { type: 'string' },
  delimiter: { type: 'string' },
  quote: { type: 'string' },
  'title-lines': { type: 'string' },
  encoding: { type: 'string' },
  header: { type: 'boolean' },
  'no-header': { type: 'boolean' },
  verdicts: { type: 'boolean' },
  preview: { type: 'boolean' },
  json: { type: 'boolean' },
  'fail-on-rejects': { type: 'boolean' },
} as const;

/** @throws WrongUse, in a sentence. */
export function readCleanOptions(args: string[]): CleanOptions {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [input, ...more] = positionals;
  if (input === undefined) throw new WrongUse('Name the file to clean, or - for standard input.');
  if (more.length > 0) throw new WrongUse(`One file at a time: ${more[0]} is one too many.`);
  const given: CleanOptions = {
    input,
    out: values.out ?? null,
    rejects: values.rejects ?? null,
    suppressions: values.suppressions ?? [],
    rules: values,
    removeDuplicates: !values['keep-duplicates'],
    validateEmails: !values['no-validate'],
    filterNonUk: !values['keep-non-uk'],
    mendSlips: values['mend-slips'] ?? false,
    optOuts: !values['keep-opt-outs'],
    doNotMail: values['do-not-mail'] ?? [],
    columns: values.columns === undefined ? null : values.columns.split(',').map((name) => name.trim()),
    emailColumns: values['email-column'] ?? null,
    sheet: values.sheet ?? null,
    addresses: values['each-address'] ? 'each' : 'first',
    dialect: {
      delimiter: delimiterNamed(values.delimiter),
      encoding: encodingNamed(values.encoding),
      quote: quoteNamed(values.quote),
      titleLines: titleLinesSaid(values['title-lines']),
      header: headerSaid(values),
    },
    verdicts: values.verdicts ?? false,
    preview: values.preview ?? false,
    json: values.json ?? false,
    failOnRejects: values['fail-on-rejects'] ?? false,
  };
  checkPlaces(given);
  return given;
}

/** Each file has one use: outputs must not overwrite an input or each other. */
function checkPlaces({ input, out, rejects, suppressions, rules, preview }: CleanOptions): void {
  if (preview && (out !== null || rejects !== null))
    throw new WrongUse('--preview writes no files: leave --out and --rejects away, or --preview.');
  if (!preview && out === null)
    throw new WrongUse('Say where the cleaned list goes with --out, or look first with --preview.');
  if ([input, out, rejects, ...suppressions].includes('')) throw new WrongUse('A file needs a name.');
  const same = (one: string, other: string) =>
    one === standard || other === standard ? one === other : placeOf(one) === placeOf(other);
  if (out !== null && rejects !== null && same(out, rejects))
    throw new WrongUse('--out and --rejects name the same place.');
  for (const written of [out, rejects]) {
    if (written === null || written === standard) continue;
    const settings = rules.settings === undefined ? [] : [rules.settings];
    if ([input, ...suppressions, ...settings].some((read) => same(read, written)))
      throw new WrongUse(`${written} is read from, so it is not written over. Choose another name.`);
  }
  if ([input, ...suppressions].filter((read) => read === standard).length > 1)
    throw new WrongUse('Only one file can come from standard input.');
}

/** A file that is there is known by its number: a link leads to a file of another name. */
function placeOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    // It is not there yet, or nobody may look. Opening it says so.
    return resolve(path);
  }
}

const delimiterNames: Record<string, string> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
  '\\t': '\t',
};

function delimiterNamed(text: string | undefined) {
  if (text === undefined) return undefined;
  const wanted = delimiterNames[text] ?? text;
  const delimiter = delimiters.find((known) => known === wanted);
  if (!delimiter) throw new WrongUse(`--delimiter is comma, semicolon, tab or pipe, not “${text}”.`);
  return delimiter;
}

function encodingNamed(text: string | undefined) {
  if (text === undefined) return undefined;
  const encoding = encodings.find((known) => known === text.toLowerCase());
  if (!encoding) throw new WrongUse(`--encoding is one of ${encodings.join(', ')}, not “${text}”.`);
  return encoding;
}

const quoteNames: Record<string, Quote> = { double: '"', '"': '"', single: "'", "'": "'", none: '', '': '' };

function quoteNamed(text: string | undefined) {
  if (text === undefined) return undefined;
  const quote = Object.hasOwn(quoteNames, text) ? quoteNames[text] : undefined;
  if (quote === undefined) throw new WrongUse(`--quote is double, single or none, not “${text}”.`);
  return quote;
}

function titleLinesSaid(text: string | undefined) {
  if (text === undefined) return undefined;
  const lines = /^\d{1,2}$/.test(text) ? Number(text) : mostTitleLines + 1;
  if (lines > mostTitleLines)
    throw new WrongUse(`--title-lines is a number from 0 to ${mostTitleLines}, not “${text}”.`);
  return lines;
}

function headerSaid(values: { header?: boolean | undefined; 'no-header'?: boolean | undefined }) {
  if (values.header && values['no-header'])
    throw new WrongUse('--header and --no-header cannot both be true.');
  return values.header ? true : values['no-header'] ? false : undefined;
}
