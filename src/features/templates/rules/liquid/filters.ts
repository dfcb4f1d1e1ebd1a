import { filters as library } from 'liquidjs';
import type { FilterName } from './filter-names.ts';
import { limits } from './limits.ts';
import { FillError, type Run } from './run.ts';
import { limited, textOf } from './values.ts';

type Handler = (this: unknown, value: unknown, ...args: unknown[]) => unknown;

/** What filters of the library see of their surroundings: dates are London's. */
const options = { timezoneOffset: 'Europe/London', dateFormat: '%-d %B %Y', locale: 'en-GB' };

export type Filter = (run: Run, value: unknown, args: unknown[]) => unknown;

export function filterNamed(name: FilterName): Filter {
  const handler = (library as unknown as Record<string, Handler>)[name];
  if (!handler) throw new RangeError(`The library has no filter ${name}.`);
  return (run, value, args) => {
    run.spend(costOf(name, value, args));
    const memoryLimit = { use: (work: number) => run.spend(Number(work) || 0) };
    const surroundings = { context: { opts: options, memoryLimit, ownPropertyOnly: true } };
    const given = name === 'date' ? dateOf(run, value) : value;
    const result = attempt(() => handler.call(surroundings, given, ...args), value);
    if (typeof result === 'string') run.spend(result.length);
    return Array.isArray(result) ? limited(result) : result;
  };
}

/** A filter that fails on what a contact holds, such as `%` in `url_decode`, leaves it as it is. */
function attempt(filter: () => unknown, value: unknown): unknown {
  try {
    return filter();
  } catch (error) {
    if (error instanceof FillError) throw error;
    return value;
  }
}

/**
 * `now` and `today` are the time that the sender gives, because a rule has no clock. Dates with
 * slashes are read as people write them here, the day first.
 */
function dateOf(run: Run, value: unknown): unknown {
  if (value === 'now' || value === 'today') return Object.hasOwn(run.data, 'now') ? run.data.now : undefined;
  if (typeof value !== 'string') return value;
  const [, day = '', month = '', year] = /^\s*(\d{1,2})[/.](\d{1,2})[/.](\d{4})\s*$/.exec(value) ?? [];
  return year === undefined ? value : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function costOf(name: FilterName, value: unknown, args: unknown[]): number {
  let cost = (name === 'date' ? limits.date : limits.filter) + lengthOf(value);
  for (const arg of args) cost += lengthOf(arg);
  if (name === 'replace') return cost + replacedLength(value, args);
  // A width in a date's format fills up with that many characters.
  if (name === 'date' && /%[^a-zA-Z%]*\d{3}/.test(textOf(args[0])))
    throw new FillError('The format of a date is too wide.');
  return cost;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce<number>((sum, item) => sum + 1 + lengthOf(item), 0);
}

/** How long a text becomes at most, known before memory is taken for it. */
function replacedLength(value: unknown, args: unknown[]): number {
  const found = textOf(args[0]).length || 1;
  return Math.ceil(lengthOf(value) / found) * textOf(args[1]).length;
}
