import { AppError } from '#platform/shared/errors.ts';
import type { SegmentCondition } from '../contract.ts';
import { anniversariesOn, anniversaryOf, dayIn, daysAfter } from './days.ts';
import { type FieldRule, type Option, optionsFor } from './field.ts';
import { folded, trimmed } from './fold.ts';
import { type Meaning, noneOf } from './meaning.ts';
import { type Asks, type Operator, operatorRules } from './operators.ts';
import { numberIn, type Test, type TextTest } from './test.ts';

/** A condition that was understood. */
export interface ReadCondition {
  field: FieldRule;
  operator: Operator;
  /** The values as they were given. */
  typed: readonly string[];
  test: Test;
  /** True for those for whom the test does not hold. */
  isContrary: boolean;
  /** The options of a choice that fit. */
  chosen: readonly Option[];
  meaning: Meaning;
}

const problem = ({ label }: FieldRule, sentence: string) =>
  new AppError('invalid_input', `${label}: ${sentence}`);

/**
 * What a condition asks, with `options` for a field that has a choice. Throws `invalid_input` with
 * a sentence when it cannot be understood.
 */
export function readCondition(
  field: FieldRule,
  { operator, value }: SegmentCondition,
  { today, options }: { today: string; options: readonly Option[] },
): ReadCondition {
  const { label, asks, takes, isContrary = false, several = false } = operatorRules[operator];
  if (!field.operators.includes(operator)) throw problem(field, `it cannot be asked whether it ${label}.`);
  const typed = takes === 'nothing' ? [] : [value ?? ''].flat().map(trimmed);
  if (typed.includes('')) throw problem(field, `“${label}” needs a value.`);
  if (typed.length > 1 && !several) throw problem(field, `“${label}” takes one value, not ${typed.length}.`);
  const test = testOf(field, asks, typed, today);
  if (field.type === 'choice' && test.is === 'equals') refuseUnknown(field, typed, options);
  const chosen = optionsFor(test, options);
  const meant = field.meaning(test, chosen);
  return { field, operator, typed, test, isContrary, chosen, meaning: isContrary ? noneOf([meant]) : meant };
}

function refuseUnknown(field: FieldRule, typed: readonly string[], options: readonly Option[]): void {
  const unknown = typed.find((one) => optionsFor(equalTo(one), options).length === 0);
  if (unknown === undefined) return;
  const offered = field.options?.map(({ value }) => value).join(', ');
  const why = field.whyAbsent ?? 'It was deleted, or never was.';
  const instead = offered ? `Choose one of: ${offered}.` : `${why} Choose another.`;
  throw problem(field, `“${unknown.slice(0, 80)}” is none of those there are. ${instead}`);
}

/** The test whether something is called so. */
export const equalTo = (text: string): Test => ({ is: 'equals', of: 'text', values: [folded(text)] });

function testOf(field: FieldRule, asks: Asks, typed: readonly string[], today: string): Test {
  const [first = ''] = typed;
  switch (asks) {
    case 'is_empty':
      return { is: 'empty' };
    case 'before':
      return within(undefined, daysAfter(dayFrom(field, first), -1));
    case 'after':
      return within(daysAfter(dayFrom(field, first), 1), undefined);
    case 'in_last_days':
      return within(daysAfter(today, 1 - daysFrom(field, first)), today);
    case 'anniversary':
      return {
        is: 'ends_with',
        of: 'day',
        values: typed.flatMap((one) => anniversaryFrom(field, one, today)),
      };
    case 'greater':
      return { is: 'number', above: numberFrom(field, first) };
    case 'less':
      return { is: 'number', below: numberFrom(field, first) };
    default:
      return textTestOf(field, asks, typed);
  }
}

function textTestOf(field: FieldRule, is: TextTest['is'], typed: readonly string[]): Test {
  if (field.type === 'number') return { is: 'number', equals: typed.map((one) => numberFrom(field, one)) };
  if (field.type === 'date') {
    const values = is === 'equals' ? typed.map((one) => dayFrom(field, one)) : typed.map(folded);
    return { is, of: 'day', values };
  }
  const { asStored = folded } = field;
  return { is, of: 'text', values: typed.map((one) => asStored(one, is)) };
}

/** An end that lies outside the calendar leaves no day. */
const within = (from: string | null | undefined, to: string | null | undefined): Test =>
  from === null || to === null
    ? { is: 'within', from: '9999-12-31', to: '0001-01-01' }
    : { is: 'within', ...(from && { from }), ...(to && { to }) };

function dayFrom(field: FieldRule, text: string): string {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? dayIn(text) : null;
  if (day === null) throw problem(field, `“${text.slice(0, 80)}” is no day. Write it like 2026-11-01.`);
  return day;
}

function daysFrom(field: FieldRule, text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 36_500)
    throw problem(field, `“${text.slice(0, 80)}” is no number of days. It has to be 1 to 36,500.`);
  return days;
}

function anniversaryFrom(field: FieldRule, text: string, today: string): string[] {
  if (folded(text) === 'today') return anniversariesOn(today);
  const end = anniversaryOf(text);
  if (end === null)
    throw problem(
      field,
      `“${text.slice(0, 80)}” is no day of the year. Write month and day like 03-05, or “today”.`,
    );
  return [end];
}

function numberFrom(field: FieldRule, text: string): number {
  const number = numberIn(text);
  if (number === null) throw problem(field, `“${text.slice(0, 80)}” is no number.`);
  return number;
}
