/** Days as text, `2026-11-01`. They compare as texts do. */

const inLondon = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

/** The day of a moment in London. */
export const londonDay = (moment: Date): string => inLondon.format(moment);

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const lengthOf = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** The day, or null where the calendar has none such. */
function dayOf(year: string, month: string, day: string): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (y < 1 || m < 1 || m > 12 || d < 1 || d > lengthOf(y, m)) return null;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/**
 * Days as files write them: `2026-11-01`, also before a time, and `1/11/2026`, in the British
 * order. PostgreSQL uses the same patterns.
 */
export const isoDay = '^([0-9]{4})-([0-9]{2})-([0-9]{2})($|[T ])';
export const britishDay = '^([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})($|[ ])';
const [iso, british] = [new RegExp(isoDay), new RegExp(britishDay)];

/** The day that a text begins with. Null when it begins with none. */
export function dayIn(text: string): string | null {
  const [, year = '', month = '', day = ''] = iso.exec(text) ?? [];
  if (year !== '') return dayOf(year, month, day);
  const [, d = '', m = '', y = ''] = british.exec(text) ?? [];
  return y === '' ? null : dayOf(y, m, d);
}

/** The day some days later or earlier. Null outside the years 1 to 9999. */
export function daysAfter(day: string, days: number): string | null {
  const moment = new Date(`${day}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  const year = moment.getUTCFullYear();
  return year < 1 || year > 9999 ? null : moment.toISOString().slice(0, 10);
}

/**
 * The ends of the days whose anniversary is on this day: `-03-05`. People of 29 February have
 * theirs on the 28th in other years.
 */
export function anniversariesOn(day: string): string[] {
  const end = day.slice(4);
  return end === '-02-28' && !isLeap(Number(day.slice(0, 4))) ? [end, '-02-29'] : [end];
}

/** `-03-05` for `03-05`. Null when no year has such a day. */
export const anniversaryOf = (monthDay: string): string | null =>
  /^\d\d-\d\d$/.test(monthDay) && dayIn(`2024-${monthDay}`) !== null ? `-${monthDay}` : null;
