import { mostAttributes } from '#features/contacts/rules/contact-change.ts';
import type { ImportCheck, ReadingChoice } from '../../contract.ts';
import {
  extraFields,
  freeExtra,
  givesUpOptOut,
  optOutTarget,
  takesSeveral,
  targetOfField,
  withOptOuts,
} from '../../rules/mapping.ts';
import { type OptOutReason, valueKey } from '../../rules/opt-outs.ts';
import type { Mend } from '../../rules/slips.ts';

type Dialect = ImportCheck['dialect'];
export type OptOutRule = ImportCheck['doNotMail'][number]['rule'];

/** Contact fields that a column of their name fills. */
const byName = ['name', 'firstName', 'lastName', 'source', 'date', 'notes'];

/**
 * The targets after `index` gets `target`. A field, also an extra one, belongs to one column: the
 * column that had it is left out. Email moves to the chosen column, unless several hold addresses:
 * then it is one more. The last email column cannot be given up, because a contact needs an
 * address.
 */
export function withTarget(targets: readonly string[], index: number, target: string): string[] {
  const emails = targets.filter((one) => one === 'email').length;
  if (emails === 1 && targets[index] === 'email' && target !== 'email') return [...targets];
  const moves = target === 'email' ? emails === 1 : !takesSeveral(target);
  return targets.map((one, at) => {
    if (at === index) return target;
    return one === target && moves ? 'skip' : one;
  });
}

/** The targets with Email for this column alone. */
export const withOnlyEmail = (targets: readonly string[], index: number): string[] =>
  targets.map((one, at) => (at === index ? 'email' : one === 'email' ? 'skip' : one));

/** The targets with Email also for these columns. */
export const withEmails = (targets: readonly string[], indexes: readonly number[]): string[] =>
  targets.map((one, at) => (indexes.includes(at) ? 'email' : one));

interface NamedColumn {
  name: string;
  extraField: string;
}

interface FoundColumn extends NamedColumn {
  filled: number;
}

/** The extra field of a column's own name. A check of an older version does not tell it. */
export const ownExtra = ({ name, extraField }: NamedColumn): string =>
  targetOfField(extraField || (extraFields([name], [])[0] as string));

/**
 * The targets with a use for each column that has something in it and would be left out: the field
 * of that name, such as Notes, if no other column fills it, else an extra field of its own, as far
 * as a contact can keep them.
 */
export function withAllKept(targets: readonly string[], columns: readonly FoundColumn[]): string[] {
  let room = mostAttributes - targets.filter(isExtra).length;
  const taken = new Set(targets);
  const named = namedExtras(columns);
  return targets.map((one, at) => {
    const column = columns[at];
    if (one !== 'skip' || !column || column.filled === 0) return one;
    const field = column.name.trim().toLowerCase();
    if (byName.includes(field) && !taken.has(field)) {
      taken.add(field);
      return field;
    }
    if (room-- <= 0) return one;
    const extra = freeExtra(ownExtra(column), taken, named);
    taken.add(extra);
    return extra;
  });
}

/** The extra fields that columns have the names of. */
export const namedExtras = (columns: readonly NamedColumn[]): ReadonlySet<string> =>
  new Set(columns.map(ownExtra));

/** The targets without extra fields. */
export const withoutExtras = (targets: readonly string[]): string[] =>
  targets.map((one) => (isExtra(one) ? 'skip' : one));

export const isExtra = (target: string): boolean => target.startsWith('extra:');

/**
 * How the file is read now, and which columns somebody has chosen; null while all are as detected.
 */
export interface CurrentReading {
  dialect: Dialect;
  targets: readonly string[];
  chosenTargets: string[] | null;
  addresses: ImportCheck['addresses'];
  /** The columns that say who must not be mailed. */
  doNotMail: readonly OptOutRule[];
  /** Those that somebody has chosen; null while all are as recognised. */
  chosenDoNotMail: readonly OptOutRule[] | null;
  /** The domains whose slips are mended, or all. */
  mend: Mend;
  /** The sheet of a workbook; undefined for other files. */
  sheet: string | undefined;
}

/**
 * The reading to ask for when one part of the dialect changes. It also names the other parts, so
 * that they stay as shown; but what the cells are cut by decides which lines are above the first
 * row, so those are counted again. It names columns only when somebody has chosen them; otherwise
 * they are detected again under the new dialect. Chosen columns that say who must not be mailed are
 * numbers: they go with all targets, so that the server refuses them when the file has other
 * columns now.
 */
export function withDialect(
  { dialect, targets, chosenTargets, addresses, chosenDoNotMail, mend, sheet }: CurrentReading,
  change: Partial<Omit<Dialect, 'lineEnd'>>,
): ReadingChoice {
  const { encoding, delimiter, quote, header, titleLines } = { ...dialect, ...change };
  const cutsOtherwise = ['encoding', 'delimiter', 'quote'].some((part) => part in change);
  const isReadOtherwise = Object.keys(change).length > 0;
  const columns = chosenTargets ?? (chosenDoNotMail && isReadOtherwise ? [...targets] : null);
  return {
    dialect: { encoding, delimiter, quote, header, ...(cutsOtherwise ? {} : { titleLines }) },
    ...(columns ? { columns } : {}),
    addresses,
    ...(sheet === undefined ? {} : { sheet }),
    ...(chosenDoNotMail ? { doNotMail: [...chosenDoNotMail] } : {}),
    ...(mend.length > 0 ? { mend: mendChoice(mend) } : {}),
  };
}

/**
 * The reading to ask for when the columns change, with the dialect as shown. A column that says who
 * must not be mailed says it no more when it gets another use.
 */
export function withColumns(
  current: CurrentReading,
  columns: string[],
  addresses = current.addresses,
): ReadingChoice {
  const { targets, doNotMail } = current;
  const kept = doNotMail.filter(({ index }) => !givesUpOptOut(targets[index] ?? '', columns[index] ?? ''));
  const chosenDoNotMail = kept.length < doNotMail.length ? kept : current.chosenDoNotMail;
  return withDialect({ ...current, chosenTargets: columns, addresses, chosenDoNotMail }, {});
}

/**
 * The reading to ask for when other columns say who must not be mailed. The targets that somebody
 * has chosen follow.
 */
export function withDoNotMail(current: CurrentReading, rules: OptOutRule[]): ReadingChoice {
  const without = (target: string, at: number) =>
    target === optOutTarget && !rules.some(({ index }) => index === at) ? 'skip' : target;
  const chosenTargets = current.chosenTargets && withOptOuts(current.chosenTargets.map(without), rules);
  return withDialect({ ...current, chosenTargets, chosenDoNotMail: rules }, {});
}

/** The reading to ask for when the slips of other domains are to be mended. */
export const withMend = (current: CurrentReading, mend: Mend): ReadingChoice => ({
  ...withDialect(current, {}),
  mend: mendChoice(mend),
});

const mendChoice = (mend: Mend) => (mend === 'all' ? mend : [...mend]);

/** The rule with this text meaning: do not mail for that reason; null: may be mailed. */
export function withMeaning(rule: OptOutRule, text: string, reason: OptOutReason | null): OptOutRule {
  const key = valueKey(text);
  const values = { ...rule.values };
  delete values[key];
  if (reason !== null) values[key] = reason;
  const mail = rule.mail.filter((one) => one !== key);
  return { ...rule, values, mail: reason === null ? [...mail, key] : mail };
}

/** What a person says of a column that was not understood: which of its texts mean do not mail. */
export function optOutRule(index: number, texts: readonly string[], out: readonly string[]): OptOutRule {
  const keys = (of: readonly string[]) => [...new Set(of.map(valueKey))];
  const isAll = out.length === texts.length;
  return {
    index,
    values: Object.fromEntries(keys(out).map((key) => [key, key === '' ? 'imported' : 'unsubscribed'])),
    mail: keys(texts.filter((text) => !out.includes(text))),
    // Beside ticks, no is known.
    vocabulary: texts.includes('') ? 'in' : null,
    rest: isAll ? 'unsubscribed' : null,
    dates: null,
    dateColumn: null,
  };
}
