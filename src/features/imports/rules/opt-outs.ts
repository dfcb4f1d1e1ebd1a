import { createDateReader, type DateOrder, type DateReader, dateOrderOf, isDate } from './opt-out-dates.ts';
import { type HeadingSense, headingSense, timestampOf } from './opt-out-headings.ts';
import {
  isPlaceholder,
  moneyWords,
  type OptOutReason,
  optOutReasons,
  outReasons,
  storedReasons,
  storedSomewhere,
  suppressedSomewhere,
  tellingWords,
  type Vocabulary,
  type VocabularyName,
  valueKey,
  vocabularyOf,
} from './opt-out-words.ts';

export { type OptOutReason, valueKey } from './opt-out-words.ts';

/**
 * Columns of a file that say who must not be mailed, whatever program wrote it: a flag, a date, a
 * reason, consent, a status. The heading says what a column may mean, the cells of a sample whether
 * it does, and in which sense.
 *
 * In doubt the rules err towards not mailing: an unknown cell of a column about opting out is an
 * opt-out. A column about something else is left alone: an unknown cell of a status says nothing.
 */

/** What the cells of one column say about mailing. Plain JSON, so that a person can choose it. */
export interface OptOutColumn {
  index: number;
  /**
   * Texts, as `valueKey` gives them, that mean: do not mail. With the reason of each. The empty one
   * is a blank cell.
   */
  values: Record<string, OptOutReason>;
  /** Texts that mean: may be mailed. */
  mail: string[];
  /**
   * How texts are understood that are not listed, before `rest` decides. Null: not at all, because
   * a person has said everything.
   */
  vocabulary: VocabularyName | null;
  /** The reason of any other filled cell. Null when such a cell says nothing against mailing. */
  rest: OptOutReason | null;
  /** How dates like 03/04/2024 are read. Null when the cells hold no dates. */
  dates: DateOrder | null;
  /** The column with the date of the cell, where it has none itself: a timestamp of the status. */
  dateColumn: number | null;
}

/**
 * A column that seems to be about mailing, with cells that are not understood. A person must say.
 */
export interface UnclearColumn {
  index: number;
  /** The most frequent, as they are written. Before ticks, the blank one: `''`. */
  values: { value: string; rows: number }[];
}

export interface RecognisedOptOuts {
  columns: OptOutColumn[];
  unclear: UnclearColumn[];
  /**
   * Columns that say nothing against mailing in the rows looked at, but may further down: “Status”
   * above rows that are all “Active”, or such rows without a heading. They speak only where a cell
   * is surely about mail.
   */
  watched: OptOutColumn[];
}

const shownValues = 20;
/** More different texts than these are free text, and nobody can be asked about them. */
const askableValues = 20;
const fewValues = 6;
const keptValues = 200;
const longestKept = 200;
const longestShown = 100;
const longestCell = 400;

type Meaning = 'out' | 'mail' | 'date' | 'unknown';

/** A text of a column, in the rows looked at. */
interface Seen {
  text: string;
  key: string;
  rows: number;
}

interface Column {
  index: number;
  heading: string;
  sense: HeadingSense;
  seen: Seen[];
  /** Rows with other cells, but none here. */
  blank: number;
}

/** Which columns say who must not be mailed, by their headings and the cells of `rows`. */
export function recogniseOptOuts(
  header: readonly string[] | null,
  rows: readonly (readonly string[])[],
): RecognisedOptOuts {
  const found: RecognisedOptOuts = { columns: [], unclear: [], watched: [] };
  const candidates = candidatesOf(header, rows);
  const isAboutEmail = candidates.some(({ sense }) => !sense.mayBePost && sense.strong);
  const main = new Set(candidates.flatMap(({ sense }) => (isMain(sense) ? [sense.reason] : [])));
  for (const column of candidates) {
    const { sense, index, seen, heading } = column;
    if (sense.mayBePost && isAboutEmail) continue;
    // Which campaign it was says nothing more, where another column says that and when.
    if (sense.form === 'detail' && main.has(sense.reason) && !/reason/i.test(heading)) continue;
    const read = judge(column);
    if (read === 'unclear') found.unclear.push({ index, values: mostFrequent(seen) });
    else {
      const dateColumn = timestampOf(heading, header ?? []);
      if (read !== null && isTicked(column, rows, read)) {
        found.unclear.push({ index, values: [{ value: '', rows: column.blank }, ...mostFrequent(seen)] });
        found.watched.push({ ...read, dateColumn });
      } else if (read !== null) found.columns.push({ ...read, dateColumn });
      else if (!isLinks(column) && !isAboutMoney(seen))
        found.watched.push({ ...watchOf(column), dateColumn });
    }
  }
  return found;
}

/**
 * “Newsletter: Yes” in some rows and nothing in others: whether those have agreed, only a person
 * knows. “None” in one of them says what the others are.
 */
const isTicked = (
  { index, blank, seen }: Column,
  rows: readonly (readonly string[])[],
  read: Read,
): boolean =>
  read.vocabulary === 'in' &&
  blank > 0 &&
  seen.length > 0 &&
  seen.every(({ key }) => read.values[key] === undefined) &&
  !rows.some((row) => valueKey(row[index] ?? '') === 'none');

const isMain = ({ sense, form }: HeadingSense): boolean => sense === 'out' && form !== 'detail';

function candidatesOf(header: readonly string[] | null, rows: readonly (readonly string[])[]): Column[] {
  const width = header?.length ?? Math.max(0, ...rows.map((row) => row.length));
  const columns: Column[] = [];
  for (let index = 0; index < width; index++) {
    const heading = header?.[index] ?? '';
    const sense = header === null ? unnamed : headingSense(heading);
    if (sense === null) continue;
    const seen = seenIn(rows, index);
    if (header === null && !isKnown(seen)) continue;
    columns.push({ index, heading, sense, seen, blank: blankIn(rows, index) });
  }
  return columns;
}

/** Without a heading, a column is believed whose cells are all words about mail or contacts. */
const isKnown = (seen: readonly Seen[]): boolean =>
  seen.length > 0 &&
  seen.every(({ key }) => key === 'duplicate' || meaningOf(key, vocabularyOf('subscription')) !== 'unknown');

const unnamed: HeadingSense = {
  sense: 'status',
  reason: 'imported',
  form: 'flag',
  strong: false,
  mayBePost: false,
};

/** The different texts of a column and how often each occurs, without those that say nothing. */
function seenIn(rows: readonly (readonly string[])[], index: number): Seen[] {
  const byText = new Map<string, Seen>();
  for (const row of rows) {
    const text = row[index];
    if (text === undefined || text === '') continue;
    const known = byText.get(text);
    if (known) known.rows++;
    else byText.set(text, { text, key: valueKey(text), rows: 1 });
  }
  return [...byText.values()].filter(({ key }) => !isPlaceholder(key));
}

const isBlank = (cell: string | undefined): boolean => cell === undefined || cell.trim() === '';

const blankIn = (rows: readonly (readonly string[])[], index: number): number =>
  rows.reduce((sum, row) => sum + (isBlank(row[index]) && !row.every(isBlank) ? 1 : 0), 0);

type Read = Omit<OptOutColumn, 'dateColumn'>;

/** Null for a column that is about something else. */
function judge(column: Column): Read | 'unclear' | null {
  if (isLinks(column)) return null;
  switch (column.sense.sense) {
    case 'out':
      return judgeOut(column);
    case 'in':
      return judgeIn(column) ?? (column.sense.strong ? null : judgeStatus(column));
    case 'status':
      return judgeStatus(column);
    case 'tags':
      return judgeTags(column);
  }
}

const isLinks = ({ seen }: Column): boolean =>
  seen.some(({ text }) => /^\s*(https?:|www\.|mailto:)/i.test(text));

/** Nothing is known of a column that is blank so far, so that its heading counts. */
const watchOf = (column: Column): Read =>
  readOf(column, column.sense.sense === 'in' && column.seen.length === 0 ? 'in' : 'telling', () => 'unknown');

/** “Unsubscribed”, UNSUB_TIME, “Bounce reason”: a filled cell means do not mail. */
function judgeOut(column: Column): Read | 'unclear' {
  const { sense, seen } = column;
  const meanings = meaningsOf(seen, vocabularyOf('out', sense.reason));
  const isAnyText = sense.form === 'detail' || (sense.form === 'count' && seen.every(isNumber));
  if (!isAnyText && rowsOf(seen, meanings, 'unknown') * 2 > rowsOf(seen, meanings)) return 'unclear';
  return readOf(column, 'out', meanings);
}

/** “Opt in”, “Accepts Email Marketing”, “Subscription status”: no means do not mail. */
function judgeIn(column: Column): Read | 'unclear' | null {
  const { sense, seen } = column;
  const meanings = meaningsOf(seen, vocabularyOf('in'));
  const [out, mail, date, unknown] = (['out', 'mail', 'date', 'unknown'] as const).map((meaning) =>
    rowsOf(seen, meanings, meaning),
  ) as [number, number, number, number];
  if (isAboutMoney(seen)) return null;
  // Dates say when somebody agreed.
  if (date > 0 && out === 0) return null;
  if (!sense.strong && (out + mail === 0 || unknown > out + mail)) return null;
  if (out === 0 && unknown > 0) return sense.strong && isAskable(seen) ? 'unclear' : null;
  return readOf(column, 'in', meanings);
}

/**
 * “Email status”: some texts mean do not mail. Of “Status”, only if others are surely about mail.
 */
function judgeStatus(column: Column): Read | 'unclear' | null {
  const { sense, seen } = column;
  const meanings = meaningsOf(seen, vocabularyOf('subscription'));
  if (isAboutMoney(seen)) return null;
  if (sense.strong) {
    const isUnderstood = seen.every((one) => meanings(one) === 'mail') || rowsOf(seen, meanings, 'out') > 0;
    if (!isUnderstood) return isAskable(seen) ? 'unclear' : null;
    return readOf(column, 'subscription', meanings);
  }
  const telling = seen.filter(({ key }) => tellingWords.has(key));
  if (telling.length === 0) return null;
  // Among stages of a sale or of a life, only what is surely about mail counts.
  const isAllMail = rowsOf(seen, meanings, 'unknown') === 0 && telling.some(({ key }) => key !== 'deceased');
  const vocabulary = isAllMail ? 'subscription' : 'telling';
  return readOf(column, vocabulary, meaningsOf(seen, vocabularyOf(vocabulary)));
}

/** “Tags”: one of several texts in a cell is surely about mail. */
function judgeTags(column: Column): Read | null {
  const isTold = column.seen.some(({ text }) =>
    partsOf(text).some((key) => tellingWords.has(key) && outReasons.has(key)),
  );
  return isTold ? readOf(column, 'telling', () => 'unknown') : null;
}

/** “Subscription: Paid, Cancelled” is about money, unless texts beside it are surely about mail. */
const isAboutMoney = (seen: readonly Seen[]): boolean =>
  seen.some(({ key }) => moneyWords.has(key)) &&
  !seen.some(({ key }) => tellingWords.has(key) && !key.startsWith('bounce'));

/** A few texts that occur again and again, so that a person can say what each means. */
const isAskable = (seen: readonly Seen[]): boolean =>
  seen.length <= fewValues || (seen.length <= askableValues && seen.length * 2 <= rowsOf(seen));

const isNumber = ({ text }: Seen): boolean => /^\s*\d+\s*$/.test(text);

function rowsOf(seen: readonly Seen[], meanings?: (one: Seen) => Meaning, wanted?: Meaning): number {
  let rows = 0;
  for (const one of seen) if (wanted === undefined || meanings?.(one) === wanted) rows += one.rows;
  return rows;
}

const mostFrequent = (seen: readonly Seen[]): UnclearColumn['values'] =>
  [...seen]
    .sort((a, b) => b.rows - a.rows)
    .slice(0, shownValues)
    .map(({ text, rows }) => ({ value: text.slice(0, longestShown).toWellFormed(), rows }));

const meaningOf = (key: string, { reasonOf, isMail }: Vocabulary): Meaning =>
  reasonOf(key) !== undefined ? 'out' : isMail(key) ? 'mail' : 'unknown';

/** “Yes, by phone” is yes. “No more emails” is not no. */
const firstWord = (text: string): string =>
  /^\s*(yes|no)\s*[-–—,:;.(/]/i.exec(text)?.[1]?.toLowerCase() ?? '';

function meaningsOf(seen: readonly Seen[], vocabulary: Vocabulary): (one: Seen) => Meaning {
  const known = new Map<Seen, Meaning>();
  for (const one of seen) {
    const whole = meaningOf(one.key, vocabulary);
    if (whole !== 'unknown') known.set(one, whole);
    else known.set(one, isDate(one.text) ? 'date' : meaningOf(firstWord(one.text), vocabulary));
  }
  return (one) => known.get(one) ?? 'unknown';
}

function readOf(column: Column, vocabulary: VocabularyName, meanings: (one: Seen) => Meaning): Read {
  const { index, sense, seen } = column;
  const { reasonOf } = vocabularyOf(vocabulary, sense.reason);
  const values: Record<string, OptOutReason> = {};
  const mail = new Set<string>();
  for (const one of seen) {
    const meaning = meanings(one);
    if (Object.keys(values).length + mail.size >= keptValues) break;
    if (one.key.length > longestKept) continue;
    if (meaning === 'out')
      values[one.key] = reasonOf(one.key) ?? reasonOf(firstWord(one.text)) ?? sense.reason;
    if (meaning === 'mail') mail.add(one.key);
  }
  const isOut = sense.sense === 'out';
  // “Consent given: Yes, None”: where nothing else says no, “None” does.
  if (vocabulary === 'in' && Object.keys(values).length === 0 && mail.size > 0) values.none = sense.reason;
  const holdsDates = sense.form !== 'detail' && !(sense.form === 'count' && seen.every(isNumber));
  return {
    index,
    values,
    mail: [...mail],
    vocabulary,
    rest: isOut ? sense.reason : null,
    dates: holdsDates ? dateOrderOf(seen.map(({ text }) => text)) : null,
  };
}

/**
 * What a column means that a person says is about mailing. `texts`: these mean do not mail. The
 * empty one is a blank cell in a column about consent, where no means so too. Null: any filled cell
 * does, but those that deny it.
 */
export const chosenRule = (index: number, texts: readonly string[] | null = null): OptOutColumn => ({
  index,
  values: Object.fromEntries((texts ?? []).map((text) => [valueKey(text), 'imported'])),
  mail: [],
  vocabulary: texts === null ? 'out' : texts.includes('') ? 'in' : null,
  rest: texts === null ? 'imported' : null,
  dates: 'day-first',
  dateColumn: null,
});

/**
 * The rule for a column that a person says is about mailing: the recognised one, or else that any
 * filled cell means do not mail. In a column about consent it is no that means so.
 */
export function ruleFor({ columns, watched }: RecognisedOptOuts, index: number): OptOutColumn {
  const consent = watched.filter(({ vocabulary }) => vocabulary === 'in');
  return [...columns, ...consent].find((column) => column.index === index) ?? chosenRule(index);
}

/** The texts of a cell that holds several: `VIP; Unsubscribed`, `* myContacts ::: Do not email`. */
const partsOf = (text: string): string[] =>
  separators.test(text) ? text.slice(0, longestCell).split(separators).map(valueKey) : [valueKey(text)];
const separators = /[;,|]|:::/;

/** What a row says. One object for all rows: what is needed later must be copied. */
export interface OptOut {
  reason: OptOutReason;
  /** `2024-03-12`. Null when none is readable. Never in the future. */
  date: string | null;
  /** The column that says so. */
  column: number;
  /** It says no more than `suppressedSomewhere`. */
  isBare: boolean;
}

/**
 * Returns a function from the cells of a row to what they say against mailing, null for nothing.
 * The strongest reason of several columns counts, with its earliest date; without one, the earliest
 * date of the others. The weakest is that an address is suppressed, with nothing said why.
 */
export function createOptOutReader(
  columns: readonly OptOutColumn[],
  now: number,
): (fields: readonly string[]) => OptOut | null {
  const dates = createDateReader(now);
  const cells = columns.map((column) => ({ ...column, read: createCellReader(column, dates) }));
  const found: OptOut = { reason: 'imported', date: null, column: -1, isBare: false };
  return (fields) => {
    let strongest: number = storedReasons.length;
    let otherDate: string | null = null;
    for (const { index, dateColumn, read } of cells) {
      const said = read(fields[index]);
      if (said === null) continue;
      const date =
        said.date ?? (dateColumn === null ? null : dates.read(fields[dateColumn] ?? '', 'day-first'));
      const strength = storedReason(said);
      const isBetter =
        strength < strongest || (strength === strongest && date !== null && isBefore(date, found.date));
      if (strength < strongest && strongest < storedReasons.length)
        otherDate = earlier(otherDate, found.date);
      if (strength > strongest) otherDate = earlier(otherDate, date);
      if (!isBetter) continue;
      strongest = strength;
      found.reason = said.reason;
      found.date = date;
      found.column = index;
      found.isBare = said.isBare;
    }
    if (strongest === storedReasons.length) return null;
    found.date ??= otherDate;
    return found;
  };
}

/** The number that is stored of what a row says. See `storedReasons`. */
export const storedReason = ({ reason, isBare }: Pick<OptOut, 'reason' | 'isBare'>): number =>
  isBare ? storedSomewhere : optOutReasons.indexOf(reason);

const isBefore = (day: string, other: string | null): boolean => other === null || day < other;

const earlier = (a: string | null, b: string | null): string | null => (a !== null && isBefore(a, b) ? a : b);

/** The columns that a reader looks at, those with dates included. */
export function optOutIndexes(columns: readonly OptOutColumn[]): number[] {
  const all = columns.flatMap(({ index, dateColumn }) =>
    dateColumn === null ? [index] : [index, dateColumn],
  );
  return [...new Set(all)];
}

type Said = Pick<OptOut, 'reason' | 'date' | 'isBare'>;

/**
 * Few texts occur often and times occur once. A remembered cell keeps the 8 KB alive that the CSV
 * reader cut it from, so that these are at most 2 MB a column.
 */
const rememberedCells = 256;

/** Returns a function from the text of a cell to what it says. Null when that is nothing. */
function createCellReader(
  column: OptOutColumn,
  dates: DateReader,
): (text: string | undefined) => Said | null {
  let known = new Map<string, Said | null>();
  const { rest, vocabulary, dates: order } = column;
  const isOptOut = vocabulary === 'out' && rest !== null && order !== null;
  const blank = column.values[''];
  const saidByBlank = blank === undefined ? null : { reason: blank, date: null, isBare: false };
  return (text) => {
    if (text === undefined || text === '') return saidByBlank;
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    // Times are many and different. They need no look at words.
    const date = isOptOut && startsWithDate.test(text) ? dates.read(text, order) : null;
    if (isOptOut && date !== null && date > lastPlaceholder) return { reason: rest, date, isBare: false };
    const reason = optOutReasonIn(column, text);
    const isBare = reason === 'imported' && valueKey(text) === suppressedSomewhere;
    const said =
      reason === null ? null : { reason, date: order === null ? null : dateIn(text, order, dates), isBare };
    if (known.size >= rememberedCells) known = new Map();
    known.set(text, said);
    return said;
  };
}

const startsWithDate = /^\d{1,4}[-/. ]/;
/** Days up to this stand for none in some programs. */
const lastPlaceholder = '1970-01-02';

/** The date that the cell is, or that stands in it: `Unsubscribed on 12/03/2024 by phone`. */
const dateIn = (text: string, order: DateOrder, dates: DateReader): string | null =>
  dates.read(text, order) ?? dates.read(within.exec(text.slice(0, longestCell))?.[0] ?? '', order);

const within =
  /\d{1,4}([-/.])\d{1,2}\1\d{2,4}|\d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z]{3,9},? \d{2,4}|[a-z]{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4}/i;

/** Why a cell of the column means: do not mail. Null when it says nothing against mailing. */
export function optOutReasonIn(column: OptOutColumn, text: string): OptOutReason | null {
  const { values, mail, vocabulary, rest } = column;
  const key = valueKey(text);
  if (Object.hasOwn(values, key)) return values[key] ?? null;
  if (mail.includes(key)) return null;
  if (isPlaceholder(key)) return values[''] ?? null;
  if (vocabulary === null) return rest;
  const known = vocabularyOf(vocabulary, rest ?? 'imported');
  const parts = partsOf(text);
  const reasons = [key, ...parts].map(known.reasonOf);
  const strongest = optOutReasons.find((reason) => reasons.includes(reason));
  if (strongest !== undefined) return strongest;
  if (known.isMail(key) || parts.every(known.isMail)) return null;
  const first = firstWord(text);
  return known.reasonOf(first) ?? (known.isMail(first) ? null : rest);
}

/** Whether a cell of the column surely means: may be mailed. */
export function isMailIn(column: OptOutColumn, text: string): boolean {
  const { values, mail, vocabulary } = column;
  const key = valueKey(text);
  if (Object.hasOwn(values, key)) return false;
  if (mail.includes(key)) return true;
  if (vocabulary === null) return false;
  const known = vocabularyOf(vocabulary);
  return [key, firstWord(text)].some((word) => meaningOf(word, known) === 'mail');
}
