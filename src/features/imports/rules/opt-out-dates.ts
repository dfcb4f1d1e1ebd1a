/**
 * Reads the day from a cell, as programs and people write it: `2024-03-12T10:04:00+01:00`,
 * `12/03/2024`, `Mar 12, 2024 10:04 AM`, seconds and milliseconds since 1970, days of Excel. A time
 * with a zone is a moment, and gives its day in Britain. A time without one stays as it is.
 */

/** What 03/04/2024 is: the 3rd of April, or the 4th of March. */
export const dateOrders = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof dateOrders)[number];

const dayMs = 86_400_000;
const longestDate = 80;

const clock = String.raw`(?:[t ,]+(?:at )?(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:[.,]\d+)?)? ?([ap])?\.?(?:m\.?)?)?`;
const zone = String.raw`(?: ?(z|[a-z]{3,4}|(?:utc|gmt)? ?[+-]\d\d:?(?:\d\d)?))?(?: ?\([^)]*\))?`;
const end = `${clock}${zone}$`;
const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?';
const nth = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;

const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${end}`);
const compact = /^(\d{4})(\d\d)(\d\d)(?:[t ]?(\d\d)(\d\d)(\d\d)?(z|[+-]\d\d:?\d\d)?)?$/;
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)${end}`);
const dayMonth = new RegExp(String.raw`^${weekday}${nth}(?: of)?[-/ .]+${month}[-/ .,]+(\d{4}|\d\d)${end}`);
const monthDay = new RegExp(String.raw`^${weekday}${month}[- .]+${nth}[-, ]+(\d{4})${end}`);
/** As `date` and C programs write: Tue Mar 12 10:04:00 GMT 2024. */
const yearAtEnd = new RegExp(
  String.raw`^${weekday}${month} +(\d{1,2}) (\d{1,2}):(\d\d):(\d\d)(?: ([a-z]{3,4}|[+-]\d{4}))? (\d{4})$`,
);
const monthOnly = new RegExp(String.raw`^(?:${month}[-, ]*(?:19|20)?\d\d|(?:19|20)\d\d(?:-\d\d)?)$`);

/**
 * What most programs write, read at once: a day, with a time of Greenwich before its last hour, in
 * which Britain may be a day ahead. Other days and times are looked at more closely.
 */
const plainDay =
  /^(20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]))(?:[ T](?:(?:[01]\d|2[0-2])(?::[0-5]\d){1,2}(?:\.\d+)?(?:Z|\+00:?00)?|23(?::[0-5]\d){1,2}))?$/;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Minutes ahead of Greenwich. Other names of zones are taken as no zone. */
const zones: Record<string, number> = {
  ...{ z: 0, utc: 0, gmt: 0, bst: 60, cet: 60, cest: 120 },
  ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
};

/** Milliseconds since 1970 with the wall clock as if in Greenwich, and the zone if there is one. */
interface Written {
  wall: number;
  offset: number | null;
}

export interface DateReader {
  /** The day as `2024-03-12`. Null when none is readable, or when it is in the future. */
  read: (text: string, order: DateOrder) => string | null;
}

/** `now` decides what is in the future, and which century a year of two digits means. */
export function createDateReader(now: number): DateReader {
  const today = londonDay(now);
  return {
    read: (text, order) => {
      const plain = plainDay.exec(text)?.[1];
      if (plain !== undefined) return plain > today ? null : plain;
      const written = readWritten(text, order, Number(today.slice(0, 4)));
      if (written === null) return null;
      const day =
        written.offset === null ? isoDay(written.wall) : londonDay(written.wall - written.offset * 60_000);
      return day > today ? null : day;
    },
  };
}

/** Whether the text is a date, readable to the day or not. */
export const isDate = (text: string): boolean =>
  readWritten(text, 'day-first', 2100) !== null || monthOnly.test(tidy(text));

/** The order that a column uses. Where no date tells, the day comes first, as in Britain. */
export function dateOrderOf(texts: Iterable<string>): DateOrder {
  let dayFirst = 0;
  let monthFirst = 0;
  for (const text of texts) {
    const [, first, , second] = yearLast.exec(tidy(text)) ?? [];
    if (Number(first) > 12) dayFirst++;
    if (Number(second) > 12) monthFirst++;
  }
  return monthFirst > dayFirst ? 'month-first' : 'day-first';
}

const tidy = (text: string): string =>
  text
    .slice(0, longestDate)
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/^["']|["']$/g, '')
    .toLowerCase();

function readWritten(given: string, order: DateOrder, year: number): Written | null {
  const text = tidy(given);
  // Every form has a digit at its beginning or a letter of a weekday or month.
  if (!/^[\da-z]/.test(text) || !/\d/.test(text)) return null;
  return readNumber(text) ?? readDigits(text, order, year) ?? readNamed(text, year);
}

/** `2024-03-12 10:04`, `20240312`, `12/03/2024`, `12.3.24`. */
function readDigits(text: string, order: DateOrder, thisYear: number): Written | null {
  const first = yearFirst.exec(text);
  if (first) return writtenOf([first[1], first[3], first[4]], first.slice(5));
  const close = compact.exec(text);
  if (close) {
    const [hour, minute, second, at] = close.slice(4);
    return writtenOf(close.slice(1, 4), [hour, minute, second, undefined, at]);
  }
  const last = yearLast.exec(text);
  if (!last) return null;
  const year = fullYear(last[4], thisYear);
  const dayFirst = () => writtenOf([year, last[3], last[1]], last.slice(5));
  const monthFirst = () => writtenOf([year, last[1], last[3]], last.slice(5));
  return order === 'day-first' ? (dayFirst() ?? monthFirst()) : (monthFirst() ?? dayFirst());
}

/** `12 March 2024`, `Mar 12, 2024 10:04 AM`. */
function readNamed(text: string, thisYear: number): Written | null {
  const day = dayMonth.exec(text);
  if (day) return writtenOf([fullYear(day[3], thisYear), numberOf(day[2]), day[1]], day.slice(4));
  const american = monthDay.exec(text);
  if (american) return writtenOf([american[3], numberOf(american[1]), american[2]], american.slice(4));
  const unix = yearAtEnd.exec(text);
  if (!unix) return null;
  const [, name, date, hour, minute, second, at, year] = unix;
  return writtenOf([year, numberOf(name), date], [hour, minute, second, undefined, at]);
}

const numberOf = (name: string | undefined): string => String(months.indexOf(name ?? '') + 1);

/** A year of two digits is never in the future. */
function fullYear(text: string | undefined, thisYear: number): string {
  if (text === undefined || text.length > 2) return text ?? '';
  const year = Math.floor(thisYear / 100) * 100 + Number(text);
  return String(year > thisYear ? year - 100 : year);
}

/**
 * Seconds, milliseconds or microseconds since 1970, or days since the end of 1899 as Excel counts
 * them (1954 to 2064).
 */
function readNumber(text: string): Written | null {
  const [, whole = '', fraction = ''] = /^(\d+)([.,]\d+)?$/.exec(text) ?? [];
  const number = Number(whole);
  if (whole.length === 5 && number >= 20_000 && number < 60_000)
    return { wall: (number - 25_569) * dayMs, offset: null };
  // 19991231 and the like are dates.
  if (whole.length === 9 || whole.length === 10) return { wall: number * 1000, offset: 0 };
  if (fraction !== '') return null;
  if (whole.length === 12 || whole.length === 13) return { wall: number, offset: 0 };
  if (whole.length === 16) return { wall: number / 1000, offset: 0 };
  return null;
}

/**
 * Null for the 31st of February. Takes year, month, day, and hour, minute, second, am or pm, zone.
 */
function writtenOf(
  date: readonly (string | undefined)[],
  [hour = '0', minute = '0', second = '0', half, at]: readonly (string | undefined)[],
): Written | null {
  const [year = 0, monthNumber = 0, day = 0] = date.map(Number);
  if (year < 1900 || monthNumber < 1 || monthNumber > 12) return null;
  const midnight = Date.UTC(year, monthNumber - 1, day);
  if (day < 1 || new Date(midnight).getUTCDate() !== day) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'p' ? 12 : 0);
  const minutes = hours * 60 + Number(minute);
  if (minutes > 24 * 60 || Number(minute) > 59 || Number(second) > 60) return null;
  return { wall: midnight + minutes * 60_000 + Number(second) * 1000, offset: offsetOf(at) };
}

function offsetOf(at: string | undefined): number | null {
  if (at === undefined) return null;
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d):?(\d\d)?$/.exec(at) ?? [];
  if (sign === undefined) return zones[at.trim()] ?? null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const isoDay = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

const london = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/**
 * The day of a moment in Britain, which is at most an hour ahead of Greenwich. Only in the last
 * hour of a day is the calendar asked, because it takes longer.
 */
function londonDay(moment: number): string {
  const isLate = moment % dayMs >= 23 * 3_600_000;
  return isLate || moment < 0 ? london.format(moment) : isoDay(moment);
}
